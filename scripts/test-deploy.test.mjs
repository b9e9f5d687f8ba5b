import { PARTS } from './deploy-parts.mjs';
import { filesOf } from './test-deploy.mjs';

it.each(PARTS.map(({ name, inputs }) => [name, inputs]))('each input of the part %s has files', (_name, inputs) => {
  expect(inputs.filter((input) => filesOf([input]).length === 0)).toEqual([]);
});
