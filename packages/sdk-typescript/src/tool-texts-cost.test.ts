import { processorTime } from '@drawbridge/testkit';
import { ValidationError } from './gen/errors.js';
import { errorText } from './tool-texts.js';

it('makes texts of errors in time linear in their fields', () => {
  const refused = (count: number): ValidationError => {
    const fields = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`input.${at}`, { message: 'is wrong' }]),
    );
    const refusal = { message: 'Wrong', status: 400, details: { fields }, headers: new Headers() };
    return new ValidationError({ code: 'VALIDATION_ERROR', ...refusal });
  };
  const costOf = (error: ValidationError): number => processorTime(() => errorText('tool', error));
  const [small, large] = [refused(10_000), refused(80_000)];
  costOf(small); // The first call includes the compilation of the code, so it is not measured.
  expect(costOf(large) / costOf(small)).toBeLessThan(8 * 4);
});
