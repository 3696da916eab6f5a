import { benchCameras } from "./tests/bench/cameras.ts";
console.log("one", await benchCameras(1, 10000)); console.log("ten", await benchCameras(10, 10000));
