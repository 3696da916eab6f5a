#!/usr/bin/env python3
"""Make the demo camera's videos and thumbnails from the drawings in scenes/.

Makes   <clip>-front.mp4, <clip>-rear.mp4 and a .jpg still of each, next to this file.
Needs   Python 3.9+ (standard library only), ffmpeg with libx264, rsvg-convert, the DejaVu fonts;
        on Debian: apt-get install ffmpeg librsvg2-bin fonts-dejavu-core
Run     python3 make.py               all eight clips, some minutes on two cores
        python3 make.py event-1-rear  only the named ones

How: one small world per clip (metres along a road) is seen by two cameras, so front and rear always
tell the same moment: what leaves the front picture turns up in the rear one. Every frame is written
as an SVG from parts of the drawings, rendered by rsvg-convert and piped to ffmpeg. No randomness but
seeded hashes, no dates: the same tools give the same bytes.
"""
import array, math, os, random, re, subprocess, sys, tempfile, wave
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
FPS = 20          # two frames to a tenth of a second: the clock and the frame counter agree
F, EYE = 1000, 1.35  # focal length in drawing units (1600x900), camera height in metres
LANE = 3.5        # we keep left, as in the drawings


# --- drawings -------------------------------------------------------------------------------------
@lru_cache(None)
def part(scene, name):
    """The inside of <g id=name> in a scene (each group is on lines of its own), or its <defs>."""
    text = (HERE / "scenes" / f"{scene}.svg").read_text()
    pattern = r"(<defs>.*?</defs>)" if name == "defs" else rf'<g id="{name}">\n(.*?)\n</g>\n'
    return re.search(pattern, text, re.S)[1]


@lru_cache(None)
def mix(a, b, share):
    """Colour a with some of b in it. Distance is drawn by mixing in the haze."""
    rgb = [round(int(a[i:i + 2], 16) * (1 - share) + int(b[i:i + 2], 16) * share) for i in (1, 3, 5)]
    return "#%02x%02x%02x" % tuple(rgb)


def recolour(svg, colours):
    return re.sub("|".join(colours), lambda m: colours[m[0]], svg)


def rnd(*key):
    return random.Random(repr(key)).random()


def poly(points, fill, more=""):
    return f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}Z" fill="{fill}" {more}/>'


def glow(x, y, r, which="glow", opacity=1):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="url(#{which})" opacity="{opacity}"/>'


# --- looks ----------------------------------------------------------------------------------------
LOOKS = {
    "country": dict(sky="front-day", haze="#bfd3da", far=170, line="#f3f1e6", shoulder="#7e8972"),
    "city": dict(sky="front-day", haze="#b9d0d6", far=120, line="#f3f1e6", shoulder="#8b9290",
                 walls=["#7e949a", "#86938b", "#687e82", "#91a09b"], window="#4a5b61", path="#a3a89f"),
    "dusk": dict(sky="front-dusk", haze="#c59783", far=110, line="#ece0cd", shoulder="#585a55", dark=True, rain=True,
                 walls=["#7c6e6e", "#6a6468", "#7d6c68", "#726b71"], window="#4b464b", path="#74696a"),
    "night": dict(sky="front-night", haze="#141d29", far=60, line="#c9cbc4", shoulder="#2a3037", dark=True),
}


class View:
    """One camera at one moment: where a point of the world lands in the picture."""

    def __init__(self, rear, d=0.0, bend=0.0, dx=0.0, dy=0.0):
        self.rear, self.d, self.bend = rear, d, -bend if rear else bend
        self.cx, self.hy = 800 + dx, (398 if rear else 408) + dy

    def ahead(self, s):
        """Distance in front of this camera of a place on the road; the rear one sits 3 m further back."""
        return self.d - s - 3 if self.rear else s - self.d

    def at(self, x, y, z):
        """x metres to the right of us looking forward, y above the road, z away from the camera."""
        k = F / z
        return self.cx + (-x if self.rear else x) * k + self.bend * z, self.hy + (EYE - y) * k

    def ribbon(self, x1, x2, z1, z2, fill, more="", y1=0.0, y2=0.0):
        """A strip along the road; more points where it is near, for the bend."""
        zs = [z1 * (z2 / z1) ** (i / 10) for i in range(11)]
        return poly([self.at(x1, y1, z) for z in zs] + [self.at(x2, y2, z) for z in reversed(zs)], fill, more)

    def every(self, gap, far, near=2.5):
        """Numbers and distances of things that stand every `gap` metres, farthest first."""
        a = self.d - far - 3 if self.rear else self.d + near
        b = self.d - near - 3 if self.rear else self.d + far
        found = [(i, self.ahead(i * gap)) for i in range(math.ceil(a / gap), math.floor(b / gap) + 1)]
        return sorted(found, key=lambda e: -e[1])


# --- things ---------------------------------------------------------------------------------------
def put(view, svg, foot, unit, x, z):
    """A drawn thing whose foot is at `foot` in its scene, `unit` drawing units to the metre."""
    (px, py), k = view.at(x, 0, z), F / z / unit
    return f'<g transform="translate({px:.1f} {py:.1f}) scale({k:.4f}) translate({-foot[0]} {-foot[1]})">{svg}</g>'


def tree(view, look, x, z, size):
    h = round(1 - math.exp(-z / look["far"]), 2)
    tones = {c: mix(c, look["haze"], h) for c in ("#54765e", "#6c9068", "#4b5c49")}
    return put(view, recolour(part("front-day", "tree"), tones), (169, 498), 49 / size, x, z)


def car(view, look, x, z, paint, face, brake=False, flash=False, lamps=True, driver=True):
    h = round(1 - math.exp(-z / look["far"]), 2) * 0.8
    body = mix(mix(paint, "#1a1c26", 0.35 if look.get("dark") else 0), look["haze"], h)
    lit = look.get("dark") and lamps
    if face:
        tones = {"#37668b": body, "#6f91ab": mix(body, "#ffffff", 0.3), "#1c3041": mix(body, "#000000", 0.5)}
        svg, foot, unit = part("rear-day", "car-face"), (776.5, 566), 129
        if not driver:
            svg = re.sub(r"<g fill.*", "", svg)
        if look.get("dark") and not lamps:
            tones["#dfe8ec"] = "#8b959b"
        if lit or flash:
            tones["#dfe8ec"] = "#fff8e2"
            svg += glow(688, 476, 150) + glow(865, 476, 150)
    else:
        tones = {"#c9ced2": body, "#606367": mix(body, "#000000", 0.5)}
        svg, foot, unit = part("front-event", "car-back"), (861, 634), 168
        if not brake:
            svg = re.sub(r"<circle.*", "", svg)
            tones["#ff4a3a"] = "#d0312a" if lit else "#9c1f1f"
        if flash:
            svg += "".join(f'<rect x="{q}" y="507" width="34" height="20" rx="6" fill="#ffb02e"/>' for q in (709, 979))
    out = put(view, recolour(svg, tones), foot, unit, x, z)
    if look.get("rain") and z < 90:  # its lights lie on the wet road
        k = F / z
        for side in (-0.65, 0.65):
            px, py = view.at(x + side, 0, z)
            out += (f'<g transform="translate({px:.1f} {py + k * .25:.1f}) scale(.28 1)">'
                    f'{glow(0, 0, k * (1.3 if face or brake else .9), "glow" if face else "red", .8)}</g>')
    return out


def building(view, look, x, s, length, height, key):
    """A house front along the road, with its windows in two paths (dark and lit)."""
    z1, z2 = sorted((view.ahead(s), view.ahead(s + length)))
    if z2 < 4:
        return ""
    n, p = max(z1, 2.0), view.at
    h = round(1 - math.exp(-max(z1, 4) / look["far"]), 2)
    wall = mix(look["walls"][int(rnd(key, "wall") * len(look["walls"]))], look["haze"], h)
    out = ""
    if z1 > 2:  # the end wall that looks at us
        e = math.copysign(9, x)
        out = poly([p(x, 0, z1), p(x, height, z1), p(x + e, height, z1), p(x + e, 0, z1)], mix(wall, "#20242c", .16))
    out += poly([p(x, 0, n), p(x, height, n), p(x, height, z2), p(x, 0, z2)], wall)
    dark, lit = [], []
    for col in range(int(length / 3.8) if z1 < 150 else 0):
        a = view.ahead(s + 1.4 + col * 3.8)
        b = view.ahead(s + 3.1 + col * 3.8)
        if min(a, b) < 2:
            continue
        for floor in range(int((height - 1) / 3.2)):
            y = 1.2 + floor * 3.2
            quad = "M" + "L".join("%.1f %.1f" % p(x, yy, zz) for yy, zz in ((y, a), (y, b), (y + 1.7, b), (y + 1.7, a))) + "Z"
            (lit if look.get("dark") and rnd(key, col, floor) < .34 else dark).append(quad)
    if dark:
        out += f'<path d="{"".join(dark)}" fill="{mix(look["window"], look["haze"], h)}" opacity=".6"/>'
    if lit:
        out += f'<path d="{"".join(lit)}" fill="{mix("#ffd89a", look["haze"], h * .5)}" opacity=".9"/>'
    return out


def post(view, colour, x, z, y, wide):
    (px, py), (_, top) = view.at(x, 0, z), view.at(x, y, z)
    w = max(wide * F / z, 1)
    return f'<rect x="{px - w / 2:.1f}" y="{top:.1f}" width="{w:.1f}" height="{py - top:.1f}" fill="{colour}"/>'


def bar(view, c, x1, x2, z, y):
    (ax, ay), (bx, _) = view.at(x1, y, z), view.at(x2, y, z)
    return f'<rect x="{min(ax, bx):.1f}" y="{ay:.1f}" width="{abs(bx - ax):.1f}" height="{max(.14 * F / z, 1):.1f}" fill="{c}"/>'


def street_lamp(view, look, x, z):
    c = mix("#4a4540" if look.get("dark") else "#5f6a6e", look["haze"], round(1 - math.exp(-z / look["far"]), 2))
    (px, py), (qx, qy), k = view.at(x, 7.5, z), view.at(x - math.copysign(1.8, x), 7.6, z), F / z
    out = post(view, c, x, z, 7.5, .16) + f'<path d="M{px:.1f} {py:.1f}L{qx:.1f} {qy:.1f}" stroke="{c}" stroke-width="{k * .12:.1f}"/>'
    out += f'<ellipse cx="{qx:.1f}" cy="{qy:.1f}" rx="{k * .48:.1f}" ry="{k * .15:.1f}" fill="{"#ffe2ac" if look.get("dark") else "#dfe6e6"}"/>'
    return out + (glow(qx, qy, k * 1.7) if look.get("dark") else "")


# --- a road ---------------------------------------------------------------------------------------
def road(view, look, sky_dx, traffic):
    """Everything outside the car: sky, ground, road, and what stands or drives there, farthest first."""
    sky = part(look["sky"], "sky")
    if view.rear and look.get("dark"):  # the sun is in front of us
        sky = re.sub(r"<circle.*", "", sky)
    flip = -1 if view.rear else 1       # and other hills behind
    out = [f'<g transform="translate({view.cx - flip * 800 * 1.14 + sky_dx:.1f} {view.hy - 418 * 1.14:.1f}) '
           f'scale({flip * 1.14} 1.14)">{sky}</g>',
           f'<rect x="-100" y="{view.hy - 3:.1f}" width="1800" height="620" fill="url(#gr)"/>']
    near, far = 2.4, 420
    things = []
    if "walls" in look:
        blocks = []
        for side in (-1, 1):
            for i, z in view.every(24, 380, -24):
                key = (look["sky"], side, i)
                blocks.append((z, building(view, look, side * (8.6 + 1.6 * rnd(key, "x")), i * 24,
                                           20.5 + 2 * rnd(key, "l"), 9.8 + 3.2 * int(5 * rnd(key, "h")), key)))
        out += [svg for _, svg in sorted(blocks, key=lambda b: -b[0])]
        out += [view.ribbon(a, b, near, far, look["path"]) for a, b in ((-5.6, -3), (6.5, 8.6))]
        for i, z in view.every(32, 330):
            x = (-4.4, 7.6)[i % 2]
            things.append((z, street_lamp(view, look, x, z)))
    else:
        for side in (-1, 1):
            for i, z in view.every(13, 330):
                x = side * (9.5 + 15 * rnd(side, i, "x")) + (2 if side > 0 else 0)
                things.append((z, tree(view, look, x, z + 5 * rnd(side, i, "z"), .7 + .5 * rnd(side, i))))
        wood = "#5b5e5c"
        poles = view.every(42, 330, -60)
        for i, z in poles:
            if z > 2.5:
                c = mix(wood, look["haze"], round(1 - math.exp(-z / look["far"]), 2))
                things.append((z, post(view, c, -6.2, z, 8, .2) + bar(view, c, -7, -5.4, z, 7.5)))
            for x in (-6.9, -5.5):  # the wire to the next pole sags half a metre
                span = [(view.ahead(42 * (i + u / 8)), 7.5 - 2 * (u / 8) * (1 - u / 8)) for u in range(9)]
                dots = ["%.1f %.1f" % view.at(x, y, q) for q, y in span if 1.5 < q < 300]
                if len(dots) > 1:
                    out.append(f'<path d="M{"L".join(dots)}" fill="none" stroke="#656e73" stroke-width="1.5" opacity=".7"/>')
        for i, z in view.every(25, 150):
            things.append((z, post(view, "#eceae2", -3.1, z, .9, .12) + post(view, "#2b2f33", -3.1, z, .72, .12) + post(view, "#eceae2", -3.1, z, .56, .12)))
        for i, z in view.every(4, 160, -4):  # the guard rail, span by span, as cars stand before and behind it
            h = round(1 - math.exp(-max(z, 1) / look["far"]), 2)
            za, zb = sorted((z, view.ahead(i * 4 + 4)))
            svg = post(view, mix("#7b878b", look["haze"], h), 7.1, z, .7, .1) if z > near else ""
            things.append((zb, svg + view.ribbon(7.05, 7.05, max(za, near), max(zb, near), mix("#9aa5a9", look["haze"], h), y1=.4, y2=.74)))
        if not view.rear:
            for i, z in view.every(150, 200):
                things.append((z, put(view, part("front-day", "sign"), (543, 491), 60, -4.0, z)))
    out.append(view.ribbon(-3, 6.5, near, far, look["shoulder"]))
    out.append(view.ribbon(-2.3, 5.8, near, far, "url(#rd)"))
    for i, z in view.every(17, 90, -6):  # patches in the tarmac: the near ground must be seen to move
        lane = -1.6 if rnd(i, "patch") < .6 else 1.9
        za = max(2.4, z)
        if z + 5 > za:
            out.append(view.ribbon(lane, lane + 3.2, za, z + 2 + 3 * rnd(i, "len"), "#20242a", 'opacity=".09"'))
    out += [view.ribbon(x - .25, x + .25, near, 60, "#20242a", 'opacity=".1"') for x in (-.8, .8)]
    out += [view.ribbon(x - .07, x + .07, near, 260, look["line"], 'opacity=".9"') for x in (-LANE / 2, LANE * 1.5)]
    for i, z in view.every(12, 170, -4):
        a, b = sorted((view.ahead(i * 12), view.ahead(i * 12 + 4)))
        if b > near:
            out.append(view.ribbon(LANE / 2 - .07, LANE / 2 + .07, max(a, near), b, look["line"], 'opacity=".95"'))
    for s, x, paint, ours, brake, flash in traffic:
        z = view.ahead(s - (0 if view.rear else 4.2)) if ours else view.ahead(s)
        if 1.8 < z < 300:
            things.append((z, car(view, look, x, z, paint, view.rear == ours, brake, flash)))
    out += [svg for _, svg in sorted(things, key=lambda e: -e[0])]
    return "".join(out)


# --- rain -----------------------------------------------------------------------------------------
WIPE, SWEEP = 1.8, 0.9  # a wipe every 1.8 s, up and down in 0.9 s
PIVOTS = ((300, 960), (930, 960))


def blade(phase):
    """How far the wipers have turned: 0 lying to the right, 1 at their left end."""
    return math.sin(math.pi * phase / SWEEP) if phase < SWEEP else 0


def rain(view, t, n):
    out = []
    for i in range(16):  # streaks in the air come at us, or fall away behind
        x, y = 1600 * rnd("streak", n, i), 760 * rnd("streak", n, i, "y")
        dx, dy = (x - view.cx) * .04, 26 + (y - view.hy) * .03
        out.append(f'<path d="M{x:.0f} {y:.0f}l{dx:.1f} {dy:.1f}" stroke="#e6ebf0" stroke-width="2.4" opacity=".42"/>')
    if view.rear:
        for i in range(70):  # nothing wipes the rear window: drops sit there, some run
            x, r = 1600 * rnd("rear", i), 3 + 6 * rnd("rear", i, "r")
            y = 900 * rnd("rear", i, "y") + (t * 14 * r / 9 if r > 7.4 else 0)
            out.append(drop(x, y % 880, r))
        return "".join(out)
    cycle, phase = divmod(t + 1.2, WIPE)
    for c in (cycle - 1, cycle):
        for i in range(80):
            x, y, r = 1600 * rnd(c, i, "x"), 790 * rnd(c, i, "y"), 3 + 5.5 * rnd(c, i, "r")
            born = SWEEP + (WIPE - SWEEP) * rnd(c, i, "b") * 1.05
            px, py = max(PIVOTS, key=lambda q: q[0] if q[0] < x + 120 else -1)
            turn = math.atan2(py - y, x - px) / math.radians(112)  # how far the blade must turn to reach it
            gone = SWEEP / math.pi * math.asin(max(0, min(1, turn)))
            age = phase + (WIPE if c < cycle else 0)
            if born < age < WIPE + gone:
                out.append(drop(x, y, r))
    turn = blade(phase)
    for px, py in PIVOTS if phase < SWEEP else ():
        a = math.radians(4 + 112 * turn)
        for start, end, wide in ((0, 420, 8), (110, 650, 14)):
            x, y = math.cos(a), -math.sin(a)
            out.append(f'<path d="M{px + start * x:.1f} {py + start * y:.1f}L{px + end * x:.1f} {py + end * y:.1f}" '
                       f'stroke="#0c0e12" stroke-width="{wide}" opacity=".9" stroke-linecap="round"/>')
    return "".join(out)


def drop(x, y, r):
    return (f'<ellipse cx="{x:.0f}" cy="{y:.0f}" rx="{r:.1f}" ry="{r * 1.25:.1f}" fill="#2a3038" opacity=".22"/>'
            f'<ellipse cx="{x:.0f}" cy="{y + r * .45:.0f}" rx="{r * .7:.1f}" ry="{r * .6:.1f}" fill="#fff" opacity=".34"/>')


# --- the clips ------------------------------------------------------------------------------------
def ring(t, t0, size, hz, fade):
    """A knock at t0 that rings out."""
    return size * math.exp(-(t - t0) / fade) * math.sin(2 * math.pi * hz * (t - t0)) if t >= t0 else 0.0


@lru_cache(None)
def travelled(speed, seconds):
    """Metres at each frame, for a speed in m/s that depends on time."""
    at, d = [], 0.0
    for n in range(int(seconds * FPS) + 1):
        at.append(d)
        d += speed((n + .5) / FPS) / FPS
    return at


def ramp(t, t0, t1):
    u = max(0.0, min(1.0, (t - t0) / (t1 - t0)))
    return u * u * (3 - 2 * u)


def cruise(v, wave=.04):
    return lambda t: v * (1 + wave * math.sin(t * .9))


def braking(v, t0, a):
    return lambda t: max(0.0, min(v, v - a * (t - t0)))


def steady(v):
    return lambda t: v


# A clip: seconds, look, our speed, how strongly the road bends, the traffic
# (metres from us at the start, lane, paint, its speed, goes our way, brakes from) and the still's moment.
EVENT = 9.0  # 60 % of 15 s
CLIPS = {
    "drive-1": dict(seconds=12, look="country", speed=cruise(20), bend=.7, still=4.7, crf=32.6, traffic=[
        (27, 0, "#b23a34", cruise(20.4, .05), True, None), (-15, 0, "#37668b", cruise(20.3, .05), True, None),
        (92, LANE, "#dfe6ea", steady(-19), False, None), (205, LANE, "#4b6b57", steady(-20), False, None),
        (262, LANE, "#2d3b4e", steady(-20), False, None), (415, LANE, "#c9a24a", steady(-18), False, None)]),
    "drive-2": dict(seconds=12, look="dusk", speed=cruise(10.5, .1), bend=.1, still=4.2, crf=32.6, traffic=[
        (20, 0, "#3d5a86", cruise(10.6, .13), True, 6.5), (-12, 0, "#8d3b37", cruise(10.5, .12), True, None),
        (58, LANE, "#d8d2c8", steady(-10), False, None), (104, LANE, "#5c6f5f", steady(-11), False, None),
        (165, LANE, "#8b3531", steady(-10), False, None), (240, LANE, "#c8c3ba", steady(-11), False, None)]),
    "event-1": dict(seconds=15, look="city", speed=braking(12.5, EVENT, 8.2), bend=.05, still=10.3, crf=32.6, traffic=[
        (19.5, 0, "#c9ced2", braking(12.5, EVENT - .75, 9.4), True, EVENT - .75),
        (-12.5, 0, "#d7d5c8", braking(12.5, EVENT + .45, 8.8), True, EVENT + .45),
        (96, LANE, "#9b2f2b", steady(-11), False, None), (180, LANE, "#3f5f7d", steady(-12), False, None),
        (300, LANE, "#e3eaee", steady(-11), False, None)]),
    # The same quality as the others, which stands in the record of the coding: all clips of a trip fit into one film.
    "parking-1": dict(seconds=20, look="night", still=9.2, crf=32.6),
}
BUMP = 10.0  # parking: the car behind us touches us, half way


def driving(clip, rear, n):
    t, look = n / FPS, LOOKS[clip["look"]]
    d = travelled(clip["speed"], clip["seconds"])[n]
    v = clip["speed"]
    bend = clip["bend"] * math.sin(2 * math.pi * t / clip["seconds"])
    turn = -clip["bend"] * clip["seconds"] * 14 * (1 - math.cos(2 * math.pi * t / clip["seconds"])) / math.pi / 2
    slow = sum(v(t - .02 * i - .12) - v(t - .02 * i) for i in range(6)) / 6 / .12  # how hard we brake, felt late
    stop = EVENT + 12.5 / 8.2
    hard = "event" in clip["name"]
    dx = 5 * math.sin(t * .7) + (ring(t, EVENT, 10, 6.5, .45) + ring(t, stop, 5, 4, .3) if hard else 0)
    dy = 1.6 * math.sin(t * 3.1) * min(1, v(t) / 8)
    if hard:
        dy += (1 if rear else -1) * (4.6 * slow - ring(t, stop + .1, 20, 1.7, .35)) + ring(t, EVENT, 13, 7.5, .4)
    traffic = []
    for gap, lane, paint, speed, ours, brakes in clip["traffic"]:
        s = gap + travelled(speed, clip["seconds"])[n]
        lit = brakes is not None and t >= brakes and (hard or t < brakes + 1.6)
        flash = hard and ours and t > stop + .6 and t * 1.5 % 1 < .5
        traffic.append((s, lane + .12 * math.sin(t * .8 + gap), paint, ours, lit, flash))
    view = View(rear, d, bend, dx, dy)
    out = road(view, look, (turn if not rear else -turn) * .8, traffic)
    return out + (rain(view, t, n) if look.get("rain") else ""), (dx * .25, dy * .2)


def parked(clip, rear, n):
    t, look = n / FPS, LOOKS["night"]
    dx, dy = ring(t, BUMP, 12, 5, .35), ring(t, BUMP, 22, 6.2, .4)
    # it rolls up, touches, waits, backs off and switches its lights off
    z = 34 - 28 * ramp(t, 0.5, 6.5) - 3.3 * ramp(t, 7.2, BUMP + .05) + 2.2 * ramp(t, 12, 14.5)
    on = t < 17.2
    scene = "".join(part("front-night", p) for p in ("backdrop", "bays", "trees", "lamps"))
    if not rear:
        spill = min(1, 7 / z) if on else 0  # its light passes our car on both sides
        out = scene + part("front-night", "cars")
        out += f'<g opacity="{spill * .75:.3f}">'
        out += "".join(f'<g transform="translate({x} 690) scale(1 .3)">{glow(0, 0, 760)}</g>' for x in (-120, 1720)) + "</g>"
        far = View(False)
        q = 170 - 9 * max(0, t - 12.5)  # and far off somebody comes down the lane
        for x in (-.65, .65) if t > 12.5 else ():
            px, py = far.at(x - 3.4, .7, q)
            out += glow(px, py - 16, 9 + 700 / q) + f'<circle cx="{px:.1f}" cy="{py - 16:.1f}" r="{200 / q:.1f}" fill="#fff8e2"/>'
    else:
        view = View(True, 0, 0, 0, -8)
        out = f'<g transform="translate(1600 0) scale(-1 1)">{scene}</g>'
        for x, q, paint in ((-5.6, 12.5, "#8a8f94"), (5.0, 12.8, "#3d5a78"), (8.2, 12.6, "#6d3a36")):
            out += car(view, look, x, q, paint, True, lamps=False, driver=False)
        px, py = view.at(-.25, 0, max(1.5, z - 3))
        if on:
            out += f'<g transform="translate({px:.1f} {py + 20:.1f}) scale(1 .4)">{glow(0, 0, 1500 / z ** .7, opacity=.28)}</g>'
        out += car(view, look, -.25, z, "#b9bec3", True, lamps=on)
    move = f"translate({800 + dx:.1f} {450 + dy:.1f}) scale(1.05) translate(-800 -450)"
    return f'<g transform="{move}">{out}</g>', (dx * .3, dy * .3)


def frame(clip, rear, n, osd=True):
    """The whole picture at frame n, as SVG."""
    t, look = n / FPS, LOOKS[clip["look"]]
    outside, (dx, dy) = (driving if "speed" in clip else parked)(clip, rear, n)
    ours = part("rear-day", "window") if rear else part(look["sky"], "hood")
    # The camera shakes, the car around it hardly does; a little larger so that no edge shows.
    out = outside + f'<g transform="translate({800 + dx:.1f} {450 + dy:.1f}) scale(1.02) translate(-800 -450)">{ours}</g>'
    out += '<rect width="1600" height="900" fill="url(#vig)"/>'
    if osd:
        text = 'y="877" font-size="42" stroke="#000" stroke-opacity=".6" stroke-width="7" paint-order="stroke" fill'
        clock = f"{int(t // 60):02}:{t % 60 // 1:02.0f}.{n % FPS * 10 // FPS}"
        out += (f'<g font-family="DejaVu Sans Mono" font-weight="700"><text x="40" {text}="{"#ffc76b" if rear else "#7fe0d2"}">'
                f'{"REAR" if rear else "FRONT"}</text><text x="206" {text}="#fff">{clock}</text>'
                f'<text x="1560" text-anchor="end" {text}="#fff">frame {n:03}</text></g>')
    defs = part(look["sky"], "defs")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900">{defs}{out}</svg>'


def png(svg, width=1280):
    return subprocess.run(["rsvg-convert", "-w", str(width)], input=svg.encode(), stdout=subprocess.PIPE, check=True).stdout


# --- sound ----------------------------------------------------------------------------------------
def sound(clip, path, rate=22050):
    """A low engine hum that follows the speed, tyres, rain, the brake, the bump; quiet throughout."""
    noise, out, angle, low, mid = random.Random(clip["name"]), array.array("h"), 0.0, 0.0, 0.0
    # a tenth shorter than the picture, so that both cameras' files last exactly as long as their pictures
    for i in range(int((clip["seconds"] - .1) * rate)):
        t = i / rate
        v = clip["speed"](t) if "speed" in clip else 0
        white = noise.uniform(-1, 1)
        low += (white - low) * .02
        mid += (white - mid) * .2
        a = low * (.012 + .016 * v) + mid * (.02 if LOOKS[clip["look"]].get("rain") else 0)
        if "speed" in clip:
            angle += 2 * math.pi * (24 + 1.9 * v) / rate
            a += .03 * (math.sin(angle) + .7 * math.sin(2 * angle + 1) + .35 * math.sin(3 * angle) + .2 * math.sin(5 * angle))
        if "event" in clip["name"] and EVENT < t < EVENT + 1.4:
            a += .05 * (mid + .5 * math.sin(2 * math.pi * 760 * t)) * math.sin(math.pi * (t - EVENT) / 1.4)
        if "parking" in clip["name"]:
            a += ring(t, BUMP, .3, 58, .12)
        out.append(int(32767 * max(-1, min(1, a * min(1, t * 4, (clip["seconds"] - .1 - t) * 4)))))
    with wave.open(str(path), "wb") as w:
        w.setnchannels(1), w.setsampwidth(2), w.setframerate(rate), w.writeframes(out.tobytes())


# --- files ----------------------------------------------------------------------------------------
def make(name, pool):
    clip, rear = CLIPS[name.rsplit("-", 1)[0]], name.endswith("-rear")
    clip["name"] = name
    frames = clip["seconds"] * FPS
    wav = Path(tempfile.gettempdir()) / f"demo-{name}.wav"
    cmd = ["ffmpeg", "-v", "error", "-y", "-f", "image2pipe", "-framerate", str(FPS), "-c:v", "png", "-i", "-"]
    if not rear:
        sound(clip, wav)
        cmd += ["-i", str(wav), "-c:a", "aac", "-b:a", "24k", "-flags:a", "+bitexact"]
    # A key frame every second for quick seeking. The index (moov) stays at the end, where a camera,
    # which cannot know it before the recording ends, writes it.
    cmd += ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-c:v", "libx264", "-profile:v", "high",
            "-preset", "veryslow", "-tune", "animation", "-crf", str(clip["crf"]), "-g", str(FPS), "-keyint_min", str(FPS),
            "-sc_threshold", "0", "-bf", "3", "-threads", "2", "-colorspace", "bt709", "-color_primaries", "bt709",
            "-color_trc", "bt709", "-color_range", "tv", "-map_metadata", "-1", "-fflags", "+bitexact",
            "-flags:v", "+bitexact", "-brand", "mp42", "-f", "mp4", str(HERE / f"{name}.mp4")]
    with subprocess.Popen(cmd, stdin=subprocess.PIPE) as ff:
        for picture in pool.map(lambda n: png(frame(clip, rear, n)), range(frames)):
            ff.stdin.write(picture)
        ff.stdin.close()
    wav.unlink(missing_ok=True)
    if ff.returncode:
        sys.exit(f"{name}: ffmpeg failed")
    # The thumbnail: the full width in 704x480, as cameras squeeze theirs; no clock, it would be too small to read.
    # (setsar makes ffmpeg write a JFIF header.)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "image2pipe", "-c:v", "png", "-i", "-", "-vf",
                    "scale=704:480:out_range=pc,format=yuvj420p,setsar=1", "-q:v", "5", "-fflags", "+bitexact", "-flags:v",
                    "+bitexact", str(HERE / f"{name}.jpg")], input=png(frame(clip, rear, int(clip["still"] * FPS), False)), check=True)
    print(f"{name}: {clip['seconds']} s, {frames} frames, {(HERE / f'{name}.mp4').stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    everything = [f"{c}-{side}" for c in CLIPS for side in ("front", "rear")]
    with ThreadPoolExecutor(os.cpu_count() or 2) as workers:
        for wanted in sys.argv[1:] or everything:
            make(wanted, workers)
