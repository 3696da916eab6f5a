/** Files imported `with { type: "file" }`: the default is a path that can be opened, in the compiled program too. */
declare module "*.br" {
  const path: string;
  export default path;
}
