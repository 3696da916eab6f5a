/** @jsxImportSource preact */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { lettersOf } from "../../../server/domain/settings/camera_letter.ts";
import { cameraNameProblem, idFor } from "../../../server/domain/settings/camera_name.ts";
import { tidyAddress } from "../../../server/domain/settings/tidy_address.ts";
import type { CameraAnswer } from "../../../server/domain/status/cameras_schema.ts";
import { formatBytes } from "../../../server/domain/text/format.ts";
import { send, sentenceOfError } from "../../browser/client.ts";
import { showToast } from "../../browser/toast.ts";
import type { CheckRun } from "../../check/check_run.ts";
import type { CheckedHere, FoundCamera } from "../../check/checked_here.tsx";
import { Icon } from "../../parts/icon.tsx";
import { FieldProblem, Note } from "../../parts/note.tsx";
import { Plate } from "../../parts/plate.tsx";
import { State } from "../../parts/state.tsx";
import { showFolders } from "../choose_folder.tsx";
import { contentsOf } from "../folder_use.ts";
import type { Shared } from "../keep/shared.ts";
import type { PartProps } from "../later_place.tsx";
import { showCameras } from "./change_cameras.ts";
import { type FolderState, folderAbove, folderState, tidyFolder } from "./folder_state.ts";
import { refusedFields } from "./refused_fields.ts";

/** A check that has begun, and what draws it: both come with the first press. */
interface Asked {
  readonly run: CheckRun;
  readonly Checked: typeof CheckedHere;
  readonly Found: typeof FoundCamera;
}

type FieldId = "main" | "name" | "address" | "destination";
type Problems = Readonly<Partial<Record<FieldId | "all", string>>>;

const LABELS = { name: "The name", address: "The address", destination: "The folder" } as const;
/** Name of a first camera that was never given one. */
const UNNAMED = "Camera";
/** Ids that no camera can have. */
const TAKEN = ["all"];
/** Pause in the typing before the folder is looked at. */
const PAUSE_MS = 300;

/** Adds a camera: its name, its address with a check, and its folder. Its first run begins by itself. */
export function AddCamera({ shared, drawn }: PartProps) {
  const { cameras } = shared;
  const mainName = useSignal("");
  const name = useSignal("");
  const address = useSignal("");
  /** Null while it is the default. */
  const typedFolder = useSignal<string | null>(null);
  const problems = useSignal<Problems>({});
  const asked = useSignal<Asked | null>(null);
  const isPending = useSignal(false);
  const inputs = {
    main: useRef<HTMLInputElement>(null),
    name: useRef<HTMLInputElement>(null),
    address: useRef<HTMLInputElement>(null),
    destination: useRef<HTMLInputElement>(null),
  };
  const fold = useRef<HTMLDetailsElement>(null);
  const list = cameras.value;
  const [main] = list;
  const isSecond = list.length === 1;
  const asksForMain = isSecond && main?.name === UNNAMED;
  const wanted = name.value.trim();
  const usual = useComputed(() => {
    const [first, ...more] = cameras.value;
    const id = idFor(name.value.trim(), [first?.id ?? "", ...more.map((one) => one.id), ...TAKEN]);
    return `${tidyFolder(drawn.camerasFolder).replace(/^\/$/, "")}/${id}`;
  });
  const folder = useComputed(() => tidyFolder(typedFolder.value ?? usual.value));
  const place = useFolderState(folder.value, wanted !== "" || typedFolder.value !== null);
  const change = (field: FieldId) => {
    const { [field]: gone, all, ...rest } = problems.value;
    if (gone !== undefined || all !== undefined) problems.value = rest;
  };
  const refuse = (found: Problems) => {
    problems.value = found;
    const first = (["main", "name", "address", "destination"] as const).find((field) => found[field] !== undefined);
    if (first) inputs[first].current?.focus();
  };
  const typedAddress = () => {
    address.value = tidyAddress(address.value);
    return address.value;
  };
  const check = async () => {
    const at = typedAddress();
    if (at === "") return refuse({ ...problems.value, address: "Type the address of the camera first." });
    change("address");
    asked.value?.run.stop();
    try {
      const [{ checkRun }, { CheckedHere: Checked, FoundCamera: Found }] = await Promise.all([
        import("../../check/check_run.ts"),
        import("../../check/checked_here.tsx"),
      ]);
      const run = checkRun(at, { isNew: true });
      asked.value = { run, Checked, Found };
      await run.begin();
      const { how, report, error } = run.state.value;
      if (how !== "failed" || report.began_at !== "" || asked.value?.run !== run) return;
      // The service has not begun it, and says why.
      asked.value = null;
      refuse({ address: sentenceOfError(error) });
    } catch (error) {
      asked.value = null;
      refuse({ address: sentenceOfError(error) });
    }
  };
  const add = async () => {
    if (isPending.value) return;
    const first = mainName.value.trim();
    const at = typedAddress();
    const wrong = { main: first === "" ? null : cameraNameProblem(first), name: cameraNameProblem(name.value) };
    const found: Problems = {
      ...(wrong.main !== null && { main: `The name ${wrong.main}.` }),
      ...(wrong.name !== null && { name: wanted === "" ? "Type a name for the camera." : `The name ${wrong.name}.` }),
      ...(at === "" && { address: "Type the address of the camera." }),
    };
    if (Object.keys(found).length > 0) return refuse(found);
    problems.value = {};
    isPending.value = true;
    try {
      // The folder that is shown, also when it is the default: the service may know of a reason to take another.
      const asks = { name: wanted, address: at, destination: folder.value };
      const added = await send<CameraAnswer>("POST /api/cameras", asks);
      asked.value?.run.stop();
      const trouble = asksForMain && first !== "" ? await nameMain(first) : null;
      clear();
      const then = added.last_run === null ? ", and its first run has begun" : " with all that stayed of it";
      await showCameras(shared, `${added.name} was added${then}.`);
      if (trouble !== null) showToast(document, "failed", trouble);
    } catch (error) {
      const placed: Problems = refusedFields(error, LABELS);
      refuse(Object.keys(placed).length > 0 ? placed : { all: sentenceOfError(error) });
    }
    isPending.value = false;
  };
  const clear = () => {
    for (const field of [mainName, name, address]) field.value = "";
    typedFolder.value = null;
    asked.value = null;
    if (fold.current) fold.current.open = false;
    fold.current?.querySelector("summary")?.focus();
  };
  const choose = () =>
    showFolders({
      first: folderAbove(folder.value),
      use: {
        title: "Choose a folder",
        take: "Use this folder",
        about: (one) => {
          const owner = list.find(({ destination }) => destination === one.path);
          if (owner) return { isOff: true, says: `The folder of ${owner.name}` };
          return one.can_be_used
            ? { isOff: false, says: contentsOf(one) }
            : { isOff: true, says: "Cannot be used: Dashdock may not write here" };
        },
      },
      take: (chosen) => {
        typedFolder.value = chosen;
        change("destination");
      },
      onClosed: () => inputs.destination.current?.focus(),
    }).catch((error) => refuse({ all: sentenceOfError(error) }));
  const { run, Checked, Found } = asked.value ?? {};
  const isChecking = run?.state.value.how === "going";
  const wrong = problems.value;
  const owner = list.find(({ destination }) => tidyFolder(destination) === folder.value);
  const input = (field: FieldId, describedBy: string) => ({
    id: `add-${field}`,
    autocomplete: "off",
    spellcheck: false,
    ref: inputs[field],
    "aria-invalid": wrong[field] !== undefined || undefined,
    "aria-describedby": `${describedBy}${wrong[field] === undefined ? "" : ` add-${field}-error`}`,
  });
  const problemOf = (field: FieldId) =>
    wrong[field] !== undefined && <FieldProblem id={`add-${field}-error`} text={wrong[field]} />;
  return (
    <details class="fold add-camera" id="add-camera" ref={fold}>
      <summary>
        <h3>Add a camera</h3>
        {isSecond && <span>A second car, with a folder, schedule and rules of its own</span>}
      </summary>
      {/* No form: in the settings of one camera it stands in one. */}
      <div
        role="group"
        aria-label="Add a camera"
        data-adopt
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          event.stopPropagation();
          void add();
        }}
      >
        {asksForMain && (
          <div class="field">
            <div class="field-name">
              <label for="add-main">Name of the camera you have</label>
              <p id="add-main-help">Tells the two apart. Empty: it is called “{UNNAMED}”.</p>
            </div>
            <div>
              <input
                class="in in-narrow"
                placeholder="Car"
                value={mainName.value}
                onInput={({ currentTarget: { value } }) => {
                  mainName.value = value;
                  change("main");
                }}
                {...input("main", "add-main-help")}
              />
              {problemOf("main")}
            </div>
          </div>
        )}
        <div class="field">
          <div class="field-name">
            <label for="add-name">{isSecond ? "Name of the new camera" : "Name"}</label>
            <p id="add-name-help">One letter of it becomes the plate in lists.</p>
          </div>
          <div>
            <div class="plate-row">
              <input
                class="in in-narrow"
                placeholder="Van"
                value={name.value}
                onInput={({ currentTarget: { value } }) => {
                  name.value = value;
                  change("name");
                }}
                {...input("name", "add-name-help add-name-says")}
              />
              {wanted !== "" && <NewPlate shared={shared} mainName={mainName.value.trim()} name={wanted} />}
            </div>
            {problemOf("name")}
          </div>
        </div>
        <div class="field">
          <div class="field-name">
            <label for="add-address">Address</label>
            <p id="add-address-help">Host name or IP address in your network.</p>
          </div>
          <div>
            <div class="in-group">
              <input
                class="in mono"
                inputmode="url"
                autocapitalize="none"
                placeholder="192.168.1.65"
                value={address.value}
                onInput={({ currentTarget: { value } }) => {
                  address.value = value;
                  asked.value?.run.stop();
                  asked.value = null;
                  change("address");
                }}
                {...input("address", run === undefined ? "add-address-help" : "add-address-help address-says")}
              />
              <button
                class="b"
                type="button"
                data-action="check-new"
                aria-busy={isChecking || undefined}
                onClick={() => void check()}
              >
                {isChecking ? "Checking" : "Check"}
              </button>
            </div>
            {problemOf("address")}
            {Checked && Found && run && (
              <>
                {!isChecking && <Found run={run} />}
                <Checked run={run} isFolded />
              </>
            )}
          </div>
        </div>
        <div class="field">
          <div class="field-name">
            <label for="add-destination">Folder</label>
            <p id="add-destination-help">Its recordings go here. No camera looks into the folder of another.</p>
          </div>
          <div>
            <div class="in-group">
              <input
                class="in mono"
                autocapitalize="none"
                value={typedFolder.value ?? (wanted === "" ? "" : usual.value)}
                placeholder={usual.value}
                onInput={({ currentTarget: { value } }) => {
                  typedFolder.value = value.trim() === "" ? null : value;
                  change("destination");
                }}
                {...input("destination", "add-destination-help add-destination-says")}
              />
              <button
                class="b"
                type="button"
                data-action="choose-new"
                aria-haspopup="dialog"
                onClick={() => void choose()}
              >
                <Icon name="i-folder" />
                Choose…
              </button>
            </div>
            {problemOf("destination")}
            <p class="says" id="add-destination-says" role="status">
              {owner ? (
                <State level="failed" word={`The folder of ${owner.name}`} />
              ) : (
                place && (
                  <>
                    <State level={place.level} word={place.words} />{" "}
                    {place.free !== null && <span class="quiet">{formatBytes(place.free)} free</span>}
                  </>
                )
              )}
            </p>
            {wanted !== "" && (
              <p class="field-meta">
                <span>
                  Default <code>{usual.value}</code>
                </span>
                {typedFolder.value !== null && (
                  <button
                    type="button"
                    onClick={() => {
                      typedFolder.value = null;
                      change("destination");
                      inputs.destination.current?.focus();
                    }}
                  >
                    Use the default
                  </button>
                )}
              </p>
            )}
          </div>
        </div>
        {wrong.all !== undefined && <Note level="failed" title={wrong.all} role="alert" class="note-gap" />}
        <div class="row add-do">
          <button
            class="b b-primary"
            type="button"
            data-action="add-camera"
            aria-busy={isPending.value || undefined}
            onClick={() => void add()}
          >
            <Icon name="i-plus" />
            Add {wanted === "" ? "the camera" : wanted} and start its first run
          </button>
        </div>
      </div>
    </details>
  );
}

interface NewPlateProps {
  readonly shared: Pick<Shared, "cameras">;
  /** Name that the first camera is given with it; empty for none. */
  readonly mainName: string;
  readonly name: string;
}

/** The plate as it will be, and why it has that letter. */
function NewPlate({ shared: { cameras }, mainName, name }: NewPlateProps) {
  const before = cameras.value.map(({ name: known, chosenLetter: letter }, at) => ({
    name: at === 0 && mainName !== "" ? mainName : known,
    letter,
  }));
  const letters = lettersOf([...before, { name, letter: null }]);
  const place = before.length;
  const letter = letters[place] ?? "";
  const initial = name.charAt(0).toUpperCase();
  const at = letters.indexOf(initial);
  const owner = at >= 0 && at < place ? before[at]?.name : undefined;
  return (
    <>
      <Plate camera={{ name, letter, place }} isLarge />
      <span class="small soft" id="add-name-says" role="status">
        {owner === undefined ? `Its plate is ${letter}` : `${initial} is taken by ${owner}, so ${letter}`}
      </span>
    </>
  );
}

/** Asks for the folder when the typing pauses; null before the first answer. */
function useFolderState(path: string, isAsked: boolean): FolderState | null {
  const found = useSignal<FolderState | null>(null);
  useEffect(() => {
    found.value = null;
    if (!isAsked || !path.startsWith("/")) return;
    const ended = new AbortController();
    const timer = setTimeout(() => {
      folderState(path, ended.signal).then(
        (state) => {
          if (!ended.signal.aborted) found.value = state;
        },
        // The service says with the adding what is wrong.
        () => {},
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [path, isAsked]);
  return found.value;
}

/** Gives the first camera its name. @returns what went wrong as a sentence; null for nothing */
async function nameMain(name: string): Promise<string | null> {
  try {
    await send("PATCH /api/cameras/main", { name });
    return null;
  } catch (error) {
    return `The first camera keeps its name: ${sentenceOfError(error)}`;
  }
}
