/** The design of every page, guide and email, as plain data. All colors, font sizes, spacing values and radii are defined here. */

/** The colors of the light theme. tokens.test.ts checks the contrast of both themes (WCAG 2.2, AA). */
export const LIGHT = {
  /** The background of the page, and of cards on it. */
  ground: '#f3f4f8',
  card: '#ffffff',
  /** Text, and less important text. */
  ink: '#171a26',
  quiet: '#586074',
  /** A line between parts, and the border of a control. */
  line: '#dde0ea',
  edge: '#7f869a',
  /** Links, the focus ring and primary buttons. */
  accent: '#3d4fd1',
  accentStrong: '#2c3bab',
  onAccent: '#ffffff',
  /** Text and background of success messages, warnings and errors. */
  good: '#176b3a',
  goodGround: '#e5f5eb',
  caution: '#7a5200',
  cautionGround: '#fdf3dc',
  bad: '#b3211c',
  badGround: '#fdeceb',
  /** Buttons for destructive actions and rejections. */
  danger: '#b3211c',
  dangerStrong: '#8f1713',
  onDanger: '#ffffff',
  /** The background of a logo, because most logos are designed for white. */
  logoGround: '#ffffff',
  /** Program code: strings, numbers, names and keywords. */
  orange: '#9a3d00',
  yellow: '#7a5200',
  blue: '#0a5cad',
  purple: '#6b3fd4',
};

/** The colors of a theme. */
export type Colors = typeof LIGHT;

export const DARK: Colors = {
  ground: '#10121a',
  card: '#191c27',
  ink: '#eceef6',
  quiet: '#a4abbd',
  line: '#2c3140',
  edge: '#71798e',
  accent: '#a4b0ff',
  accentStrong: '#c0c8ff',
  onAccent: '#12163a',
  good: '#84dba8',
  goodGround: '#12301f',
  caution: '#f2c879',
  cautionGround: '#33270f',
  bad: '#ffa49d',
  badGround: '#3a1715',
  danger: '#ffa49d',
  dangerStrong: '#ffbfba',
  onDanger: '#3a0f0c',
  logoGround: '#ffffff',
  orange: '#ffb27a',
  yellow: '#f2c879',
  blue: '#8ec5ff',
  purple: '#c8b3ff',
};

/** Shadows of cards. */
export const SHADOWS = {
  light: '0 1px 2px rgb(23 26 38 / 6%), 0 12px 32px -12px rgb(23 26 38 / 16%)',
  dark: '0 1px 2px rgb(0 0 0 / 40%)',
};

/** Lengths are in CSS pixels. Stylesheets convert them to rem, so that they follow the reader's text size. Emails use px. */
export const TEXT_SIZES = { small: 14, label: 15, body: 16, heading: 17, title: 26, code: 24 } as const;

export const SPACES = {
  hair: 2,
  tiny: 4,
  small: 8,
  medium: 12,
  base: 16,
  large: 20,
  wide: 24,
  huge: 32,
  vast: 64,
} as const;

/** The widths of text columns: an email, a page with one card, and any other page. */
export const WIDTHS = { mail: 520, narrow: 448, wide: 736, header: 1152 } as const;

export const RADII = { small: 6, control: 10, card: 16, pill: 99 } as const;

export const FOCUS = { width: 3, offset: 2 } as const;

/** The fonts of the reader's system, because pages load nothing from other hosts. */
export const FONTS = {
  text: "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  code: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
};
