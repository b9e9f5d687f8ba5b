const { spellOut, typeLike } = await import(new URL('../tags.mjs', import.meta.url).pathname);

const field = (name: string, ...comment: string[]): string =>
  `  /**\n${comment.map((line) => `   * ${line}\n`).join('')}   */\n  ${name}?: string | undefined;\n`;
const message = (name: string, ...fields: string[]): string => `export interface ${name} {\n${fields.join('')}}\n`;

const NEW = message('NewThing', field('displayName', 'For people.', '@maxLength 200', '@default "Thing"'));

function spelled(...sources: string[]): string {
  return spellOut(sources).join('');
}

describe('a tag of a field', () => {
  it('is taken over by a field that is like it, in another file too', () => {
    const text = spelled(NEW, message('OtherThing', field('title', 'Its own words.', '@like NewThing.display_name')));
    expect(text).toContain('   * Its own words.\n   * @maxLength 200\n   * @default "Thing"\n   */\n  title?');
  });

  it('is taken over by a field that is like one that is like it, beside its own', () => {
    const between = message('MoreThing', field('title', '@minLength 1', '@like NewThing.display_name'));
    const text = spelled(message('LastThing', field('name', '@like MoreThing.title')), between, NEW);
    expect(text).toContain('   * @minLength 1\n   * @maxLength 200\n   * @default "Thing"\n   */\n  name?');
  });

  it('is no default of a change', () => {
    const text = spelled(message('ThingChanges', field('displayName', '@like NewThing.display_name')), NEW);
    expect(text).toContain('interface ThingChanges {\n  /**\n   * @maxLength 200\n   */\n  displayName?');
  });

  it('lets a field be null where it says so', () => {
    const text = spelled(message('ThingChanges', field('colour', '@nullable'), field('size', 'In inches.')));
    expect(text).toContain('colour?: string | null | undefined;');
    expect(text).toContain('size?: string | undefined;');
    expect(text).toContain("export const ThingChangesNullable = ['colour'] as const;");
  });

  it('is there as a value where code asks for it', () => {
    expect(spelled(NEW)).toContain('export const NewThingDefaults = { displayName: "Thing" } as const;');
    expect(spelled(NEW)).toContain('export const NewThingMaxLength = { displayName: 200 } as const;');
  });

  it('is there as a type of a path', () => {
    const sources = spellOut([NEW]);
    const tags = '/**\n * @maxLength 200\n * @default "Thing"\n */\n';
    expect(typeLike('Title', 'NewThing.displayName', sources)).toBe(`${tags}export type Title = string;\n`);
    expect(() => typeLike('Title', 'NewThing.nothing', sources)).toThrow(
      'Title takes its limits from NewThing.nothing, which has none',
    );
  });

  it.each([
    ['stands twice', field('displayName', '@maxLength 200'), 'Copy.displayName repeats @maxLength 200 of NewThing'],
    ['is like itself', field('displayName', '@like Copy.display_name'), 'Copy.displayName: @like refers to itself'],
    [
      'is like nothing',
      field('displayName', '@like NewThing.nothing'),
      'Copy takes its limits from NewThing.nothing, which has none',
    ],
  ])('is refused where it %s', (_, wrong, reason) => {
    expect(() => spelled(NEW, message('Copy', wrong))).toThrow(reason);
  });
});
