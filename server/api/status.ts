import { camerasSummary } from "../domain/status/cameras_summary.ts";
import { OVERVIEW, STATUS } from "../domain/status/status_schema.ts";
import { cameraStateFrom, refusedCameraState } from "../engine/status/camera_state.ts";
import { overview } from "../engine/status/overview.ts";
import { fleetFigures } from "../engine/status/shared_storage.ts";
import { status } from "../engine/status/status.ts";
import { endpoint } from "./endpoint.ts";

export const currentStatus = endpoint({
  summary: "One flat answer for dashboard widgets",
  shape: STATUS,
  returns: "How things stand",
  answer: (_context, app) => status(app),
});

export const currentOverview = endpoint({
  summary: "The state of everything in one sentence, and the readings beside it",
  shape: OVERVIEW,
  returns: "The sentence is about the time between syncs; a running one is told by the progress",
  answer: (_context, app) => overview(app),
  async all(answers, _asked, apps) {
    const told = apps.flatMap((app) => {
      const found = answers.find(({ camera }) => camera === app.camera.id);
      return found ? [cameraStateFrom(app, found.answer)] : [];
    });
    const states = await Promise.all(told);
    const cameras = answers.map(({ camera, answer }, at) => {
      const { name, letter, model, state } = states[at] ?? {};
      return { camera, name, letter, model, state, ...answer };
    });
    const refused = apps[0]?.cameras.refused ?? [];
    const closed = refused.map(({ configured, problem }) => refusedCameraState(configured, problem));
    const open = states.map((state) => {
      const answer = answers.find(({ camera }) => camera === state.id)?.answer;
      return { ...state, plan: answer?.plan ?? null };
    });
    return { ...camerasSummary([...open, ...closed]), figures: await fleetFigures(apps), cameras };
  },
});
