export { brandColors, type Fill } from './brand.js';
export { customProperties, rule } from './custom-properties.js';
export { type Colors, DARK, FONTS, LIGHT, RADII, SPACES, TEXT_SIZES, WIDTHS } from './tokens.js';
