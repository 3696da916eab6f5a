/** @jsxImportSource preact */
import changelog from "../../CHANGELOG.md" with { type: "text" };
import { Icon } from "../../islands/parts/icon.tsx";
import { newsOf } from "../domain/text/changelog.ts";
import { VERSION } from "../version.ts";

/** Most changes on the settings page. */
const MOST_NEWS = 5;

/** The end of the settings page: the version, what is new in it, and where to read more. */
export function About() {
  const { since, lines } = newsOf(changelog, VERSION, MOST_NEWS);
  return (
    <>
      <h2 id="about-title">About</h2>
      <p>Dashdock, version {VERSION}.</p>
      <div class="field">
        <div class="field-name">
          <span class="lab">What is new</span>
          <p>{since === null ? "This is the first version." : `Since version ${since}.`}</p>
        </div>
        <div>
          <ul class="news">
            {lines.map((line) => (
              <li key={line}>
                <Icon name="i-check" />
                <span>{line}</span>
              </li>
            ))}
          </ul>
          <p class="says">
            <a href="/help/changes">All changes</a>
          </p>
        </div>
      </div>
      <div class="field">
        <div class="field-name">
          <span class="lab">Backup and support</span>
          <p>Save all of this in one file, restore it, or make a file for those you ask for help.</p>
        </div>
        <div>
          <a class="b" href="/settings/backup">
            <Icon name="i-zip" />
            Backup and support
          </a>
        </div>
      </div>
      <div class="field">
        <div class="field-name">
          <span class="lab">More</span>
          <p />
        </div>
        <div>
          <div class="about">
            <a class="b" href="/help">
              <Icon name="i-help" />
              Guide
            </a>
            <a class="b" href="/help/licences">
              Licences
            </a>
          </div>
          <p class="field-meta">
            <span>Dashdock sends nothing to its makers.</span>
          </p>
        </div>
      </div>
    </>
  );
}
