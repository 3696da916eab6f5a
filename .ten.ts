import { benchCameras } from "./tests/bench/cameras.ts";
console.log("ten", await benchCameras(10, 10000));
