/** @jsxImportSource preact */
import CameraAddress from "../../islands/camera_address.tsx";
import type { App } from "../app.ts";
import { csrfToken } from "../http/auth/csrf.ts";
import type { RequestContext } from "../http/request/request_context.ts";
import { html } from "../http/request/respond.ts";
import { page } from "./document.tsx";
import { Island } from "./island.tsx";
import { openZone } from "./open_zone.ts";
import { PlainDocument } from "./plain_document.tsx";

/** `GET /?start` while there is no camera: the second step of the first run, and nothing else. */
export function addressStep(context: RequestContext, app: App): Response {
  const { settings, isPasswordGiven } = app;
  const isSecond = settings.current.auth.mode === "login" && !isPasswordGiven;
  return html(
    page(
      <PlainDocument
        context={context}
        token={csrfToken(context, app)}
        title="The camera’s address"
        class="is-wide"
        islands={["camera_address"]}
      >
        {isSecond && (
          <ol class="steps">
            <li>1. Your password</li>
            <li aria-current="step">2. The camera’s address</li>
          </ol>
        )}
        <h1>Where is your camera?</h1>
        <p>The camera must be on and in the same network as this machine. Dashdock changes nothing on the camera.</p>
        <Island
          name="camera_address"
          of={CameraAddress}
          props={{
            address: "",
            // The first step has offered it.
            zone: isSecond ? null : openZone(app),
            wasOffered: isSecond,
            isAlone: true,
          }}
        />
        <noscript>
          <p class="says">Checking and saving the address needs JavaScript, which this browser has turned off.</p>
        </noscript>
        <p class="later">
          <a href="/">Do this later</a>
        </p>
        <FindAddress />
      </PlainDocument>,
    ),
  );
}

/** Explains ways to find the camera's address. */
function FindAddress() {
  return (
    <section class="how" aria-labelledby="how">
      <h2 id="how">How to find the address</h2>
      <Network />
      <ol class="steps-n">
        <li>
          <span>
            <b>Open your router’s page.</b> Its address is often on a label below the router.
          </span>
        </li>
        <li>
          <span>
            <b>Look at the list of devices.</b> The camera is there by its model, or as “Blackvue”.
          </span>
        </li>
        <li>
          <span>
            <b>Copy its address, and make it permanent.</b> Routers call this “fixed address” or “DHCP reservation”.
          </span>
        </li>
      </ol>
      <p class="small soft">
        Many routers also know the camera by name. Try <span class="mono">blackvue</span> or{" "}
        <span class="mono">dr900x</span>.{" "}
        <a href="/help/first-steps#find-the-address-of-the-camera">More in the guide</a>
      </p>
    </section>
  );
}

/** The camera in the car, and this machine, in the network of one router. */
function Network() {
  return (
    <svg
      class="where"
      viewBox="0 0 420 190"
      role="img"
      aria-label="The camera in the car and Dashdock are both in the Wi-Fi of the same router"
    >
      <path class="wh-house" d="M22 92L112 30l90 62v74H22z" />
      <path class="wh-l" d="M112 112v26M112 112h0" />
      <rect class="wh-b" x="84" y="98" width="56" height="22" rx="5" />
      <circle class="wh-dot" cx="96" cy="109" r="2.5" />
      <circle class="wh-dot" cx="106" cy="109" r="2.5" />
      <path class="wh-wave" d="M148 96a18 18 0 0 1 0 26M158 88a30 30 0 0 1 0 42" />
      <rect class="wh-me" x="40" y="138" width="52" height="20" rx="4" />
      <path class="wh-l" d="M66 138v-12h46v-6" />
      <path class="wh-wave wh-far" d="M226 80a40 40 0 0 1 0 58M248 70a58 58 0 0 1 0 78" />
      <path class="wh-car" d="M282 150c0-16 4-22 14-24l16-22c3-4 6-6 12-6h38c6 0 10 2 13 6l15 22c8 2 12 8 12 24z" />
      <path class="wh-win" d="M314 124l12-16h18v16zM350 124v-16h14l12 16z" />
      <circle class="wh-wheel" cx="310" cy="152" r="12" />
      <circle class="wh-wheel" cx="376" cy="152" r="12" />
      <rect class="wh-cam" x="326" y="104" width="12" height="8" rx="2.5" />
      <path class="wh-lead" d="M332 102V74" />
      <text x="332" y="52">
        Camera
      </text>
      <text class="wh-m" x="332" y="68">
        192.168.1.64
      </text>
      <text x="112" y="90">
        Router
      </text>
      <text x="66" y="182">
        Dashdock
      </text>
    </svg>
  );
}
