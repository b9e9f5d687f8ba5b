/** The languages of a code block: https://developers.notion.com/reference/block#code */
const LANGUAGES = new Set([
  ...['abap', 'abc', 'agda', 'arduino', 'ascii art', 'assembly', 'bash', 'basic', 'bnf', 'c', 'c#', 'c++', 'clojure'],
  ...['coffeescript', 'coq', 'css', 'dart', 'dhall', 'diff', 'docker', 'ebnf', 'elixir', 'elm', 'erlang', 'f#'],
  ...['flow', 'fortran', 'gherkin', 'glsl', 'go', 'graphql', 'groovy', 'haskell', 'hcl', 'html', 'idris', 'java'],
  ...['javascript', 'json', 'julia', 'kotlin', 'latex', 'less', 'lisp', 'livescript', 'llvm ir', 'lua', 'makefile'],
  ...['markdown', 'markup', 'matlab', 'mathematica', 'mermaid', 'nix', 'objective-c', 'ocaml', 'pascal', 'perl'],
  ...['php', 'plain text', 'powershell', 'prolog', 'protobuf', 'purescript', 'python', 'r', 'racket', 'reason'],
  ...['ruby', 'rust', 'sass', 'scala', 'scheme', 'scss', 'shell', 'smalltalk', 'solidity', 'sql', 'swift', 'toml'],
  ...['typescript', 'vb.net', 'verilog', 'vhdl', 'visual basic', 'webassembly', 'xml', 'yaml'],
] as const);

export type Language = typeof LANGUAGES extends Set<infer Name> ? Name : never;

/** Common short names in Markdown. */
const SHORT: { readonly [name: string]: Language } = {
  ...{ js: 'javascript', ts: 'typescript', py: 'python', rb: 'ruby', sh: 'shell', zsh: 'shell', yml: 'yaml' },
  ...{ cs: 'c#', csharp: 'c#', cpp: 'c++', golang: 'go', rs: 'rust', kt: 'kotlin', md: 'markdown', tex: 'latex' },
  ...{ dockerfile: 'docker', proto: 'protobuf', objc: 'objective-c', ps1: 'powershell', tsx: 'typescript' },
};

/**
 * Returns the language after the ``` of a block of code, which is the first word. An unknown language becomes plain text, because Notion rejects it.
 */
export function languageOf(info: string): Language {
  const [word = ''] = info.trim().toLowerCase().split(/\s/, 1);
  const name = Object.hasOwn(SHORT, word) ? SHORT[word] : (word as Language);
  return name !== undefined && LANGUAGES.has(name) ? name : 'plain text';
}
