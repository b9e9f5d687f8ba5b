import { decide, evaluate, type Verdict } from './evaluate.js';
import { preparePolicies } from './prepare-policies.js';
import { callOf, policyOf } from './testing/policies.js';

const assisted = preparePolicies(
  Array.from({ length: 5 }, (_, n) =>
    policyOf({ id: `p${n}`, riskMode: 'model_assisted', rules: { actionCategories: ['delete'] } }),
  ),
);

const evaluated = async (verdicts: ReadonlyMap<string, Verdict>) => evaluate(assisted, callOf(), verdicts);

it('asks for each policy that wants it, until one matches', async () => {
  const asked: string[] = [];
  const decided = await decide(evaluated, async ({ id }) => {
    asked.push(id);
    return { isRisky: id === 'p1', reason: 'odd' };
  });
  expect(decided).toMatchObject({ policy: { id: 'p1' }, reasons: ['riskMode: model_assisted: odd'] });
  expect(asked).toEqual(['p0', 'p1']);
});

it('asks three times at most, and leaves the rest to a person', async () => {
  let asked = 0;
  const decided = await decide(evaluated, async () => ({ isRisky: ++asked > 3, reason: '' }));
  expect(decided).toMatchObject({
    policy: { id: 'p3' },
    reasons: [expect.stringContaining('too many policies need a verdict')],
  });
  expect(asked).toBe(3);
});

it('asks no more of a call that is judged again', async () => {
  const verdicts = new Map();
  let asked = 0;
  const again = () => decide(evaluated, async () => ({ isRisky: ++asked === 2, reason: 'odd' }), verdicts);
  expect(await again()).toEqual(await again());
  expect(asked).toBe(2);
});
