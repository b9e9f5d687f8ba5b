import { processorTime } from '@drawbridge/testkit';
import { analyze } from './analyze.js';
import { CodeSyntaxError } from './parse-program.js';

const TOOLS = [{ alias: 'slack', actionName: 'send', integrationName: 'slack' }];
const list = (count: number, toText: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => toText(at)).join('');

const CODES: [string, (size: number) => string][] = [
  ['direct calls', (size) => 'svc.slack.send();'.repeat(size / 17)],
  ['unknown tools', (size) => list(size / 16, (at) => `svc.a${at}.b();`)],
  ['computed names', (size) => 'svc[x].a();\n'.repeat(size / 12)],
  ['chained calls', (size) => `svc.slack.send${'(1)'.repeat(size / 3)}`],
  ['chained members', (size) => `svc.slack.send${'.a'.repeat(size / 2)}`],
  ['chained assignments', (size) => `x=svc;${'y=x;x=y;'.repeat(size / 8)}`],
  ['names of names', (size) => `${list(size / 20, (at) => `let a${at + 1}=a${at};`)}let a0=svc;`],
  ['aliases under one name', (size) => list(size / 14, (at) => `x=svc.a${at};`) + 'z=x;'.repeat(size / 8)],
  ['alternatives', (size) => `x=svc;y=${'x||'.repeat(1_000)}x;${'z=x;'.repeat(size / 4)}`],
  ['commas', (size) => `x=${'svc,'.repeat(size / 4)}1`],
  ['patterns', (size) => `({${list(size / 8, (at) => `a${at},`)}}=svc)`],
  ['declarations', (size) => list(size / 10, (at) => `let a${at};`)],
  ['redeclarations', (size) => 'var a;'.repeat(size / 6)],
  ['functions', (size) => list(size / 18, (at) => `function a${at}(){}`)],
  ['parameters', (size) => `function f(${list(size / 8, (at) => `a${at},`)}b){}`],
  ['numbers of loops', (size) => 'for(let i=0;;i++)a[i]();'.repeat(size / 24)],
  ['constants', (size) => list(size / 30, (at) => `const a${at}='slack';svc[a${at}];`)],
  ['sums of texts', (size) => `svc[${"'a'+".repeat(500)}'b'];`.repeat(size / 2_000)],
  ['arrays', (size) => `x=[${'[],'.repeat(size / 3)}]`],
  ['object keys', (size) => `x={${list(size / 8, (at) => `a${at}:1,`)}}`],
  ['private names', (size) => `class A{${list(size / 8, (at) => `#a${at};`)}}`],
  [
    'private names in nested classes',
    (size) => `${'class A{m(){'.repeat(40)}class B{#x;m(){${'#x in a;'.repeat(size / 8)}}}${'}}'.repeat(40)}`,
  ],
  ['breaks', (size) => `${list(40, (at) => `l${at}:`)}{${'break l39;'.repeat(size / 10)}}`],
  ['unlabeled loops', (size) => `${'for(;;)'.repeat(300)}{${'continue;'.repeat(size / 9)}}`],
  ['cases', (size) => `switch(a){${'case 1:'.repeat(size / 7)}}`],
  ['this', (size) => 'this;'.repeat(size / 5)],
  ['constructors', (size) => 'a.constructor;'.repeat(size / 14)],
  ['template parts', (size) => `\`${'${1}'.repeat(size / 4)}\``],
  ['regular expressions', (size) => '/\\p{L}/u;'.repeat(size / 9)],
  ['named groups', (size) => `x=/${list(size / 10, (at) => `(?<a${at % 7}>x)|`)}/`],
  ['classes of a regular expression', (size) => `x=/[${'\\p{L}'.repeat(size / 5)}]/v`],
  ['comments', (size) => '/**/'.repeat(size / 4)],
  ['lines', (size) => '\r\n'.repeat(size / 2)],
  ['lines with signals', (size) => 'svc[x]\n'.repeat(size / 7)],
  ['directives', (size) => `${'"a";'.repeat(size / 8)}${'function f(){"a"}'.repeat(size / 34)}`],
  ['blanks before arrows', (size) => `async${' '.repeat(size / 2)}/*${'*'.repeat(size / 2)}*/(a)=>1`],
  ['words async', (size) => 'async\n'.repeat(size / 6)],
  ['hosts', (size) => list(size / 24, (at) => `'https://h${at}.example';`)],
  ['invalid hosts', (size) => list(size / 20, (at) => `'https://[${at}';`)],
  ['schemes', (size) => `"${'https://'.repeat(size / 8)}"`],
  ['long hosts', (size) => `"https://${'é'.repeat(size)}"`],
  ['escapes', (size) => `"${'\\u{61}'.repeat(size / 6)}"`],
];

it.each(CODES)(
  'costs time in proportion to the number of %s',
  (_what, codeOf) => {
    const timeOf = (size: number, runs: number): number => {
      const code = codeOf(size);
      return processorTime(() => analyze(code, TOOLS), runs);
    };
    // The input is 16 times as long. Linear work takes 16 times as long for it, quadratic work 256 times.
    expect(timeOf(128 * 1024, 1) / timeOf(8 * 1024, 3)).toBeLessThan(100);
  },
  120_000,
);

it('refuses a megabyte of open brackets as fast as a short program', () => {
  const timeOf = (size: number): number =>
    processorTime(() => {
      for (const open of ['(', '[', '{', '`${', 'a=>', '!', 'a?', 'new ', 'async()=>', '<!--\n', 'a?.[', 'if(a)']) {
        expect(() => analyze(open.repeat(size / open.length), TOOLS)).toThrow(CodeSyntaxError);
      }
    }, 2);
  expect(timeOf(1024 * 1024) / timeOf(64 * 1024)).toBeLessThan(100);
}, 120_000);

it('costs time in proportion to the number of tools', () => {
  const timeOf = (count: number): number => {
    const tools = Array.from({ length: count }, (_, at) => ({
      alias: `a${at}`,
      actionName: 'b',
      integrationName: 'storage',
    }));
    return processorTime(() => analyze('svc[x]()', tools), 3);
  };
  expect(timeOf(32_000) / timeOf(2_000)).toBeLessThan(100);
});
