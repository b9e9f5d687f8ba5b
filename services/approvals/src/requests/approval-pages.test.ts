import { isShownInFull } from './approval-pages.js';

it.each([
  ['a preview with all fields', { inputPreview: { to: 'ann' } }, true],
  ['an empty preview', { inputPreview: {} }, true],
  ['a preview with a truncated field', { inputPreview: { a: {} }, truncatedFields: ['a'] }, false],
  ['a preview that omits fields', { inputPreview: { a: 1 }, omittedFields: 1 }, false],
  ['a preview of an earlier version that was cut', { inputPreview: { truncated: true, preview: '{"a":' } }, false],
])('tells whether %s shows the input in full', (_what, row, expected) => {
  expect(isShownInFull({ truncatedFields: [], omittedFields: 0, ...row })).toBe(expected);
});
