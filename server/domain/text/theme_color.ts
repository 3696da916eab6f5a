/** The ground of a page by theme, `--bg` in the style sheet. */
export const GROUND = { dark: "#10161b", light: "#f4f6f8" } as const;

/** One `<meta name="theme-color">`: what a browser paints around the page, and when. */
export interface ThemeColor {
  readonly content: string;
  /** Null: always. */
  readonly media: string | null;
}

/** The theme colors of a page: that of a chosen theme, else one for each theme the device may have. */
export function themeColors(chosen: "light" | "dark" | undefined): readonly ThemeColor[] {
  if (chosen !== undefined) return [{ content: GROUND[chosen], media: null }];
  return [
    { content: GROUND.dark, media: "(prefers-color-scheme: dark)" },
    { content: GROUND.light, media: "(prefers-color-scheme: light)" },
  ];
}
