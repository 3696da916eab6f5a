const SVG = "http://www.w3.org/2000/svg";

/** An arrow to the north in a circle, which the style sheet puts in place by its middle. */
export function carElement(): SVGSVGElement {
  const car = document.createElementNS(SVG, "svg");
  car.setAttribute("class", "map-car");
  car.setAttribute("viewBox", "-14 -14 28 28");
  car.setAttribute("aria-hidden", "true");
  const turned = document.createElementNS(SVG, "g");
  for (const [name, attributes] of [
    ["circle", { r: "12" }],
    ["path", { d: "M0-9 6.5 6 0 3-6.500 6z" }],
  ] as const) {
    const part = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    turned.append(part);
  }
  car.append(turned);
  return car;
}
