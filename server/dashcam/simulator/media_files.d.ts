/** Files imported `with { type: "file" }`: the default is a path that can be opened, in the compiled program too. */
declare module "*.mp4" {
  const path: string;
  export default path;
}

declare module "*.jpg" {
  const path: string;
  export default path;
}
