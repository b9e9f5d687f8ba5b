import { toDocument, toMarkdown } from './document.js';

const text = (value: string, ...marks: object[]) => ({ type: 'text', text: value, ...(marks.length > 0 && { marks }) });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });

it('converts blocks and marks of Markdown', () => {
  const markdown =
    '## Hi\n\nA **bold *both*** `code` [link](https://x.example)  \nnext\nsame\n\n- a\n  1. b\n\n```js\nx\n```\n> q\n\n---\n<b>';
  expect(toDocument(markdown)).toEqual({
    version: 1,
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [text('Hi')] },
      paragraph(
        ...[text('A '), text('bold ', { type: 'strong' }), text('both', { type: 'strong' }, { type: 'em' }), text(' ')],
        ...[text('code', { type: 'code' }), text(' ')],
        ...[text('link', { type: 'link', attrs: { href: 'https://x.example' } }), { type: 'hardBreak' }, text('next')],
        ...[text(' '), text('same')],
      ),
      {
        type: 'bulletList',
        content: [
          {
            type: 'listItem',
            content: [
              paragraph(text('a')),
              { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph(text('b'))] }] },
            ],
          },
        ],
      },
      { type: 'codeBlock', attrs: { language: 'js' }, content: [text('x')] },
      { type: 'blockquote', content: [paragraph(text('q'))] },
      { type: 'rule' },
      paragraph(text('<b>')),
    ],
  });
});

it('converts a document to Markdown', () => {
  const markdown = '# Hi\n\n- a\n- b\n\n1. c\n\n```\nx\n```\n\n---\n\nEnd';
  expect(toMarkdown(toDocument(markdown) as never)).toBe(markdown);
  const others = [
    { type: 'mention', attrs: { text: '@Ada' } },
    { type: 'inlineCard', attrs: { url: 'https://x.example' } },
    { type: 'unknown', content: [text('inner')] },
  ];
  expect(toMarkdown({ type: 'doc', content: [paragraph(...others)] } as never)).toBe('@Adahttps://x.exampleinner');
  const cell = (value: string) => ({ type: 'tableCell', content: [paragraph(text(value))] });
  const table = { type: 'table', content: [{ type: 'tableRow', content: [cell('a'), cell('b')] }] };
  expect(toMarkdown({ type: 'doc', content: [table] } as never)).toBe('a | b');
  expect([toMarkdown('plain'), toMarkdown(null), toMarkdown(undefined)]).toEqual(['plain', '', '']);
});

it('stops at a depth that no document has', () => {
  let node: object = text('deep');
  for (let depth = 0; depth < 10_000; depth++) node = { type: 'blockquote', content: [node] };
  expect(toMarkdown({ type: 'doc', content: [node] } as never)).toBe('');
});

it('converts in time linear in the size of the text', () => {
  const cost = (size: number): number => {
    const markdown = '**a** `b` [c](d)\n\n'.repeat(size / 18);
    const began = process.cpuUsage();
    toMarkdown(toDocument(markdown));
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  };
  cost(2_000);
  expect(cost(450_000)).toBeLessThan(4_000);
});
