import { contrast, mixed } from './contrast.js';
import { DARK, LIGHT } from './tokens.js';

const WHITE = '#ffffff';
const BLACK = '#000000';
/** Minimum contrast of text and of shapes (WCAG 2.2, 1.4.3 and 1.4.11). */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;

/** The colors of buttons in an organization's color. */
export interface Fill {
  fill: string;
  /** The color of the button while the pointer is over it. */
  fillStrong: string;
  onFill: string;
}

/** The colors that differ between the light and the dark theme. */
interface InTheme {
  accent: string;
  /** Set if the button is visible on a card without a border. */
  isSeen: boolean;
}

/** Returns the colors for an organization's color, `#rrggbb`. Buttons use it unchanged; text uses the nearest color that is readable. */
export function brandColors(fill: string): Fill & { light: InTheme; dark: InTheme } {
  const onFill = contrast(fill, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK;
  return {
    fill,
    fillStrong: hovered(fill, onFill),
    onFill,
    // Text must be readable on `ground` and `card`, so the background with less contrast is used.
    light: inTheme(fill, { under: LIGHT.ground, card: LIGHT.card, away: BLACK }),
    dark: inTheme(fill, { under: DARK.card, card: DARK.card, away: WHITE }),
  };
}

function inTheme(fill: string, { under, card, away }: { under: string; card: string; away: string }): InTheme {
  return { accent: readable(fill, under, away), isSeen: contrast(fill, card) >= SHAPE_CONTRAST };
}

/** Returns the color nearest to `color`, mixed with `away` (black or white), that is readable as text on `under`. */
function readable(color: string, under: string, away: string): string {
  const steps = Array.from({ length: 51 }, (_, step) => mixed(color, away, step / 50));
  return steps.find((one) => contrast(one, under) >= TEXT_CONTRAST) ?? away;
}

/**
 * Returns the color of a button under the pointer: further from the color of its text, or slightly nearer if it is already close to black or white.
 */
function hovered(fill: string, onFill: string): string {
  const further = onFill === WHITE ? BLACK : WHITE;
  return contrast(fill, further) > 1.5 ? mixed(fill, further, 0.2) : mixed(fill, onFill, 0.15);
}
