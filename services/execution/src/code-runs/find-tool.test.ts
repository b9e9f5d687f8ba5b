import { processorTime } from '@drawbridge/testkit';
import { Tools } from './find-tool.js';

const toolsOf = (paths: string[]): Tools =>
  new Tools(
    paths.map((path) => {
      const [alias = '', actionName = ''] = path.split('.');
      return { alias, actionName } as ConstructorParameters<typeof Tools>[0][number];
    }),
  );
const tools = toolsOf([
  'github.create_issue',
  'github.create_label',
  'github.list_issues',
  'my-mail.send',
  'constructor.x',
]);

it.each([
  ['github.create_isue', ['github.create_issue', 'github.create_label']],
  ['GitHub.create_issue', ['github.create_issue', 'github.create_label']],
  ['gihub.list_issues', ['github.list_issues']],
  ['my_mail.send', ['my-mail.send']],
  ['github.zzz', []],
  ['github', []],
  ['', []],
  ['zzz.zzz', []],
  ['toString.x', []],
])('suggests for %j %j', (path, closest) => expect(tools.closest(path)).toEqual(expect.arrayContaining(closest)));

it('finds tools by their path', () => {
  expect(tools.byPath.get('my-mail.send')).toMatchObject({ alias: 'my-mail' });
  expect(tools.byPath.get('toString')).toBeUndefined();
});

it('reads only the beginning of a long name', () => {
  const many = toolsOf(Array.from({ length: 200 }, (_, at) => `github.create_the_action_number_${at}`));
  const cost = (characters: number): number => {
    const path = `github.${'c'.repeat(characters)}`;
    // Measures 20 calls, because one call is too short for a reliable measurement on a busy machine.
    return processorTime(() => Array.from({ length: 20 }, () => many.closest(path)));
  };
  // If the complete name were read, the long one would cost about 100 times as much.
  expect(cost(10_000) / cost(100)).toBeLessThan(30);
});
