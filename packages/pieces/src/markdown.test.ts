import { markdownTokens, toXhtml } from './markdown.js';

it('renders XHTML, and HTML as text', () => {
  expect(toXhtml('**a**  \nb <script>x</script>')).toBe(
    '<p><strong>a</strong><br />\nb &lt;script&gt;x&lt;/script&gt;</p>\n',
  );
});

it.each(['_a*', '*a ', '[', '[a](', '![', '`', '> ', '- ', '*_', '**a', '<a ', '\\', '|', '\n'])(
  'parses hostile text in time linear in its size: %j',
  (part) => {
    const cost = (size: number): number => {
      const text = part.repeat(size / part.length);
      const began = process.cpuUsage();
      markdownTokens(text);
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1_000;
    };
    cost(2_000);
    expect(cost(200_000)).toBeLessThan(3_000);
  },
);
