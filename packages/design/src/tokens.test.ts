import { contrast } from './contrast.js';
import { customProperties } from './custom-properties.js';
import { type Colors, DARK, LIGHT } from './tokens.js';

const THEMES: [string, Colors][] = [
  ['light', LIGHT],
  ['dark', DARK],
];
type Pair = [text: keyof Colors, background: keyof Colors];
const ON_BOTH = ['ink', 'quiet', 'accent', 'accentStrong', 'good', 'caution', 'bad'] as const;
const TEXTS: Pair[] = [
  ...ON_BOTH.flatMap((text): Pair[] => [
    [text, 'ground'],
    [text, 'card'],
  ]),
  ...(['orange', 'yellow', 'blue', 'purple'] as const).map((text): Pair => [text, 'card']),
  ...(['accent', 'accentStrong'] as const).map((fill): Pair => ['onAccent', fill]),
  ...(['danger', 'dangerStrong'] as const).map((fill): Pair => ['onDanger', fill]),
  ['good', 'goodGround'],
  ['caution', 'cautionGround'],
  ['bad', 'badGround'],
];

describe.each(THEMES)('the %s theme', (_name, theme) => {
  it.each(TEXTS)('has readable text: %s on %s', (text, background) => {
    expect(contrast(theme[text], theme[background])).toBeGreaterThanOrEqual(4.5);
  });

  it.each<keyof Colors>(['edge', 'accent', 'danger'])('has a visible border or fill: %s', (name) => {
    expect(contrast(theme[name], theme.card)).toBeGreaterThanOrEqual(3);
    expect(contrast(theme[name], theme.ground)).toBeGreaterThanOrEqual(3);
  });
});

it('prints each colour for light and for dark, and lengths that follow the text size of the reader', () => {
  const css = customProperties();
  expect(css.split('--on-accent:')).toHaveLength(3);
  expect(css).toContain(`--card:${LIGHT.card}`);
  expect(css).toMatch(new RegExp(`dark\\)\\{:root\\{.*--card:${DARK.card}`));
  expect(css).toContain('--text-body:1rem');
  expect(css).toContain('--space-small:0.5rem');
});
