/** Files that are taken into the program as they are. */
declare module "*.svg" {
  const text: string;
  export default text;
}

declare module "*.md" {
  const text: string;
  export default text;
}
