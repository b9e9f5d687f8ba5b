import { DARK, LIGHT } from '@drawbridge/design';
import { brandStyles } from './stylesheet.js';

const GREYS = ['000000', '404040', '767676', '777777', '808080', 'c0c0c0', 'ffffff'];
const BRIGHT = ['ff0000', '00ff00', '0000ff', 'ffff00', 'ff00ff', '00ffff', 'ffd400', '0f766e', '3d4fd1'];
const SPREAD = Array.from({ length: 200 }, (_, turn) => ((turn * 83_859) % 0x1000000).toString(16).padStart(6, '0'));

/** Returns the CSS variables of the light and of the dark theme. */
function themes(color: string): [light: Record<string, string>, dark: Record<string, string>] {
  const [light, dark] = brandStyles(color)
    .split('@media (prefers-color-scheme: dark)')
    .map((css) =>
      Object.fromEntries([...css.matchAll(/(--[a-z-]+):([^;}]+)/g)].map(([, name, value]) => [name, value])),
    );
  return [light!, { ...light, ...dark }];
}

/** Implements the formula of WCAG 2.2 independently of the code under test. */
function contrast(one: string, other: string): number {
  const [high, low] = [one, other].map(luminance).sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map(linear) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const linear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);

describe('an organization’s colour', () => {
  it.each([...GREYS, ...BRIGHT, ...SPREAD])('can be read in text and on buttons, light and dark: %s', (color) => {
    themes(color).forEach((theme, dark) => {
      const { ground, card } = [LIGHT, DARK][dark]!;
      const shown = [
        contrast(theme['--accent']!, ground),
        contrast(theme['--accent']!, card),
        contrast(theme['--on-fill']!, theme['--fill']!),
        contrast(theme['--on-fill']!, theme['--fill-strong']!),
      ];
      expect(Math.min(...shown)).toBeGreaterThanOrEqual(4.5);
      expect(theme['--fill-edge'] === 'var(--edge)' || contrast(theme['--fill']!, card) >= 3).toBe(true);
    });
  });

  it.each([...GREYS, ...BRIGHT])('is that of buttons as it is, and another when one points at them: %s', (color) => {
    for (const theme of themes(color)) {
      expect(theme['--fill']).toBe(`#${color}`);
      expect(theme['--fill-strong']).not.toBe(`#${color}`);
    }
  });

  it('is that of text too where it can be read', () => {
    expect(themes('0f766e')[0]['--accent']).toBe('#0f766e');
    expect(themes('ffd400')[1]['--accent']).toBe('#ffd400');
  });
});
