import { makeNameVisible, makeVisible } from '@drawbridge/contracts';
import { type ConsentIntegration, type ConsentTool } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type VNode } from 'preact';
import { type Words } from '../words/en.js';

/** With more tools than this, the lists are collapsed until the reader opens them. */
const MAX_OPEN_TOOLS = 15;

/** From the effects that are hardest to undo to those that change nothing. */
const ORDER = ['payment', 'delete', 'send', 'admin', 'code', 'write', 'read'];

interface Props {
  integrations: ConsentIntegration[];
  words: Words;
}

/** Shows the tools that a client may use, by integration, with their effects and the account that each uses. */
export function ConsentTools({ integrations, words }: Props): VNode {
  const its = words.authorize;
  const all = integrations.flatMap(({ tools }) => tools);
  return (
    <section aria-labelledby="tools">
      <h2 id="tools">{its.tools}</h2>
      <p class="quiet">{all.length === 0 ? its.noTools : its.counts(all.length, integrations.length)}</p>
      {integrations.map((one) => (
        <Integration {...one} isOpen={all.length <= MAX_OPEN_TOOLS} words={words} />
      ))}
      {all.length > 0 && <p class="quiet">{its.mayChange}</p>}
    </section>
  );
}

type IntegrationProps = ConsentIntegration & { isOpen: boolean; words: Words };

function Integration({ isOpen, words, ...one }: IntegrationProps): VNode {
  const { displayName, alias, tools } = one;
  const its = words.authorize;
  return (
    <details open={isOpen} class="tools">
      <summary>
        <strong>{makeVisible(displayName)}</strong> <span class="quiet">({makeNameVisible(alias)})</span>
        <span class="about">{accountOf(one, words)}</span>
        <span class="about">{effectsOf(tools, words)}</span>
      </summary>
      <ul class="rows">
        {byEffect(tools).map(({ name, category }) => (
          <li>
            <span>{makeVisible(name)}</span>
            <span class={`badge ${category === 'read' ? '' : 'bad'}`}>{its.effects[category] ?? category}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function accountOf({ account, accountKind }: ConsentIntegration, { authorize: its }: Words): string {
  if (accountKind === 'none') return its.noAccount;
  if (account !== undefined) return its.account(makeVisible(account));
  return accountKind === 'own' ? its.ownAccount : its.missingAccount;
}

function effectsOf(tools: ConsentTool[], { authorize: its }: Words): string {
  const counted = ORDER.map(
    (category) => [category, tools.filter((tool) => tool.category === category).length] as const,
  );
  return counted
    .filter(([, count]) => count > 0)
    .map(([category, count]) => `${count} ${its.effects[category]}`)
    .join(', ');
}

function byEffect(tools: ConsentTool[]): ConsentTool[] {
  return [...tools].sort((one, other) => ORDER.indexOf(one.category) - ORDER.indexOf(other.category));
}
