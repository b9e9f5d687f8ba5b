import { makeNameVisible, makeVisible } from '@drawbridge/contracts';
import {
  type Authorization,
  type ConsentIntegration,
  type ConsentTool,
} from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type VNode } from 'preact';
import { type AuthorizationRequest } from '../../mcp/oauth/authorization-request.js';
import { Form, Notice, Fact } from '../kit/parts.js';
import { type Words } from '../words/en.js';

interface Props {
  title: string;
  wanted: Pick<AuthorizationRequest, 'client'>;
  authorization: Pick<Authorization, 'serverName'>;
  /** The host that the user is redirected to. */
  place: { host: string; isLocal: boolean };
  scopes: string[];
  /** The name of the user who may allow access. Undefined if the user may not allow access. */
  you?: string;
  refusal: string;
  /** Absent for a user who is unknown or may not allow access. The page must not reveal the tools of a server to strangers. */
  integrations?: ConsentIntegration[];
  /** True if this card contains the buttons for the decision. They are in a separate card for a user who is not identified yet. */
  isDecided: boolean;
  action: string;
  /** A hash of the content, which the form sends with the decision. */
  seen: string;
  /** True if the content has changed since the user saw it. */
  isChanged: boolean;
  words: Words;
}

/**
 * Shows the client, the requested access, the address that receives the result, and the decision. Everything that a client sent is marked as
 * unverified text.
 */
export function ConsentBody({
  title,
  wanted,
  authorization,
  place,
  scopes,
  you,
  refusal,
  integrations,
  isDecided,
  action,
  seen,
  isChanged,
  words,
}: Props): VNode {
  const its = words.authorize;
  const { clientId, name } = wanted.client;
  const client = makeVisible(name ?? its.unnamed);
  return (
    <section class="card">
      <h1>{makeVisible(title)}</h1>
      <p class="lead">{its.lead(client, makeVisible(authorization.serverName))}</p>
      <p class="notice caution">{its.unchecked}</p>
      <dl class="facts pairs">
        <Fact name={its.program} value={URL.canParse(clientId) ? clientId : client} />
        <Fact name={its.goesTo} value={place.isLocal ? its.onThisDevice(place.host) : place.host} />
        <Fact name={its.may} value={scopes.map((scope) => its.scopes[scope] ?? scope).join(', ')} />
        {you !== undefined && <Fact name={its.you} value={you} />}
      </dl>
      {refusal !== '' && <Notice kind="bad">{its.refusals[refusal] ?? its.refusals['unknown']}</Notice>}
      {isChanged && <Notice kind="bad">{its.changed}</Notice>}
      {integrations && <ConsentTools integrations={integrations} words={words} />}
      {isDecided && <Choices mayAllow={you !== undefined} action={action} seen={seen} words={words} />}
      {you !== undefined && <p class="quiet after">{its.until}</p>}
    </section>
  );
}

type ChoicesProps = Pick<Props, 'action' | 'seen' | 'words'> & { mayAllow: boolean };

export function Choices({ mayAllow, action, seen, words: { authorize: its } }: ChoicesProps): VNode {
  return (
    <Form action={action} hidden={{ seen }} class="choices">
      {mayAllow && (
        <button type="submit" name="decision" value="allow" class="primary">
          {its.allow}
        </button>
      )}
      <button type="submit" name="decision" value="deny">
        {its.deny}
      </button>
    </Form>
  );
}

/** If there are more tools than this, their lists are collapsed, so that the buttons for the decision stay visible. */
const MAX_OPEN_TOOLS = 15;

/** Ordered from the effects that are hardest to undo to those that change nothing. */
const ORDER = ['payment', 'delete', 'send', 'admin', 'code', 'write', 'read'];

/** Shows the tools that a client may use, by integration, with their effects and the account that each tool uses. */
export function ConsentTools({ integrations, words }: { integrations: ConsentIntegration[]; words: Words }): VNode {
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

function Integration({ isOpen, words, ...one }: ConsentIntegration & { isOpen: boolean; words: Words }): VNode {
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
