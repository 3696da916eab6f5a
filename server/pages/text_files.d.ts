/** Files that are taken into the program as they are. */
declare module "*.svg" {
  const text: string;
  export default text;
}
