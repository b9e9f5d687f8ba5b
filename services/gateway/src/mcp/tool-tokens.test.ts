import { type Action, inputSchema, type Piece, type Property } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { toListedTool, toolName } from './listed-tool.js';

/** A model reads the tools of a server in every conversation, so each description must be short. */
const MAX_AVERAGE = 180;

// The action `request` is the same in every piece, and is listed only if a workspace enables it.
const tools = Object.values(pieces).flatMap((piece) =>
  Object.entries(piece.actions)
    .filter(([, { isRaw }]) => !isRaw)
    .map(([actionName, action]) => listed(piece, actionName, action)),
);
const costs = tools
  .map((tool) => ({ name: String(tool.name), tokens: countTokens(JSON.stringify(tool)) }))
  .sort((one, other) => other.tokens - one.tokens);

it(`costs at most ${MAX_AVERAGE} tokens of o200k_base for a tool, on average over all pieces`, () => {
  const average = costs.reduce((sum, { tokens }) => sum + tokens, 0) / costs.length;
  const top = costs.slice(0, 10).map(({ name, tokens }) => `${String(tokens).padStart(6)}  ${name}`);
  process.stdout.write(`${costs.length} tools, ${average.toFixed(1)} tokens on average. The ten most expensive:\n`);
  process.stdout.write(`${top.join('\n')}\n`);
  expect(average).toBeLessThanOrEqual(MAX_AVERAGE);
});

it('describes every tool and every property, by a description, a title or a key that says the same', () => {
  const bare = tools.filter(({ description }) => !/^[A-Z].*\.$/.test(description));
  expect(bare.map(({ name }) => name)).toEqual([]);
  for (const [name, { actions }] of Object.entries(pieces)) {
    for (const [actionName, { props }] of Object.entries(actions)) {
      const tool = tools.find((one) => one.name === toolName(name, actionName));
      const properties = Object.entries<any>(tool?.inputSchema.properties ?? {});
      const unsaid = properties.filter(([key, { description, title }]) => {
        const label = props[key]!.displayName.toLowerCase().replace(/[^a-z0-9]/g, '');
        return !description && !title && label !== key.toLowerCase().replace(/[^a-z0-9]/g, '');
      });
      expect(unsaid.map(([key]) => `${name}.${actionName}.${key}`)).toEqual([]);
    }
  }
});

function listed(piece: Piece, actionName: string, action: Action): any {
  const named = (is: (property: Property) => boolean): string[] =>
    Object.keys(action.props).filter((key) => is(action.props[key]!));
  const described = {
    integrationDisplayName: piece.displayName,
    displayName: action.displayName,
    description: action.description,
    inputSchemaJson: JSON.stringify(inputSchema(action.props)),
    effect: action.effect,
    adds: action.adds,
    idempotent: action.idempotent,
    reachesOutside: piece.auth !== undefined,
    optionProperties: named(({ loadOptions }) => loadOptions !== undefined),
    dynamicProperties: named(({ loadProps }) => loadProps !== undefined),
  };
  const offer = { integrationAlias: piece.name, integrationName: piece.name, actionName, isCutOff: false };
  return toListedTool(toolName(piece.name, actionName), offer, described as ToolDescription);
}
