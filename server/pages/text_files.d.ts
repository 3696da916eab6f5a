/** Files that are taken into the program as they are. */
declare module "*.svg" {
  const text: string;
  export default text;
}

declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.conf" {
  const text: string;
  export default text;
}

declare module "*/Caddyfile" {
  const text: string;
  export default text;
}

declare module "*/Caddyfile-sign-in" {
  const text: string;
  export default text;
}

declare module "*/Caddyfile-sub-path" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}
