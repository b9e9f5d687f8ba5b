import { makeVisible } from '@drawbridge/contracts';
import { type EndUserConnection } from '@drawbridge/proto/drawbridge/connections/v1/end_user';
import { type Portal, type PortalConnection } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type VNode } from 'preact';
import { Emblem } from './kit/marks.js';
import { type Asked } from './kit/page-kit.js';
import { Form, Notice, Section } from './kit/parts.js';
import { When } from './kit/when.js';
import { type Waiting, WaitingApprovals } from './portal-approvals.js';
import { type Words } from './words/en.js';

/** The name and logo with which the page displays an integration. */
export interface Shape {
  displayName: string;
  logoUrl: string;
}

interface Shown extends Pick<Asked, 'words' | 'path'> {
  /** The path of the portal page to which its forms and links refer. */
  home: string;
  /** The display names and logos of integrations, by their names. */
  integrations: ReadonlyMap<string, Shape>;
}

interface PortalShown extends Shown {
  portal: Portal;
  /** Undefined if the approvals service did not respond. */
  waiting: Waiting[] | undefined;
  /** Integrations that can be connected. */
  offers: string[];
  notice?: VNode;
}

/** Shows the pending approvals of the end user, and their connections, each with a way to delete it. */
export function PortalBody({ portal, waiting, offers, notice, ...shown }: PortalShown): VNode {
  const its = shown.words.portal;
  const { connections, person } = portal;
  return (
    <>
      <h1>{its.title}</h1>
      <p class="lead">{person === undefined ? its.lead : its.leadOf(person)}</p>
      {notice}
      {waiting === undefined && <Notice kind="bad">{its.waitingUnknown}</Notice>}
      {waiting !== undefined && waiting.length > 0 && <WaitingApprovals waiting={waiting} {...shown} />}
      <Section id="connected" title={its.connected}>
        {connections.length === 0 ? (
          <p class="quiet">{its.nothing}</p>
        ) : (
          <ul class="rows">
            {connections.map((one) => (
              <ConnectionRow one={one} {...shown} />
            ))}
          </ul>
        )}
      </Section>
      {offers.length > 0 && <Offers offers={offers} {...shown} />}
    </>
  );
}

function Offers({ offers, words, path, home, integrations }: Shown & { offers: string[] }): VNode {
  const its = words.portal;
  return (
    <Section id="offered" title={its.offered}>
      <ul class="rows">
        {offers.map((name) => {
          const { displayName, logoUrl } = shapeOf(name, integrations);
          return (
            <li>
              <div class="named">
                <Emblem name={displayName} logo={logoUrl} />
                <strong>{displayName}</strong>
              </div>
              <Form action={path(`${home}/connect`)} hidden={{ integration: name }}>
                <button type="submit" aria-label={its.connectTo(displayName)}>
                  {its.connect}
                </button>
              </Form>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function ConnectionRow({ one, words, path, home, integrations }: Shown & { one: PortalConnection }): VNode {
  const its = words.portal;
  const connection = one.connection!;
  const { displayName: title, logoUrl } = shapeOf(connection.integrationName, integrations);
  return (
    <li>
      <div class="named">
        <Emblem name={title} logo={logoUrl} />
        <div>
          <strong>{title}</strong>
          <span class="quiet">
            {connection.displayName !== title && <>{connection.displayName} · </>}
            {one.accountLabel && <>{its.connectedAs(makeVisible(one.accountLabel))} · </>}
            <When at={connection.createdAt} words={words} phrase={its.since} /> ·{' '}
            {one.lastUsedAt === undefined ? its.unused : <When at={one.lastUsedAt} words={words} phrase={its.used} />}
          </span>
        </div>
      </div>
      <div class="end">
        <Status one={one} words={words} />
        {!one.suspended && connection.status !== 'ACTIVE' && (
          <Form action={path(`${home}/connect`)} hidden={{ id: connection.id }}>
            <button type="submit" aria-label={its.connectAgainTo(title)}>
              {its.connectAgain}
            </button>
          </Form>
        )}
        <a
          class="button danger"
          href={path(`${home}/disconnect?id=${connection.id}`)}
          aria-label={its.disconnectOf(title)}
        >
          {its.disconnect}
        </a>
      </div>
    </li>
  );
}

function Status({ one, words: { portal } }: { one: PortalConnection; words: Words }): VNode {
  if (one.suspended) return <span class="badge bad">{portal.suspended}</span>;
  return one.connection?.status === 'ACTIVE' ? (
    <span class="badge">{portal.active}</span>
  ) : (
    <span class="badge bad">{portal.refused}</span>
  );
}

/** Asks for confirmation before a connection is deleted. */
export function DisconnectBody({
  connection,
  words,
  path,
  home,
  integrations,
}: Shown & { connection: EndUserConnection }): VNode {
  const its = words.portal;
  const { displayName, logoUrl } = shapeOf(connection.integrationName, integrations);
  return (
    <section class="card">
      <Emblem name={displayName} logo={logoUrl} />
      <h1>{its.ask(displayName)}</h1>
      <p>{its.askLead(connection.displayName)}</p>
      <Form action={path(`${home}/disconnect`)} hidden={{ id: connection.id }}>
        <button type="submit" class="primary danger">
          {its.disconnect}
        </button>
      </Form>
      <p class="after">
        <a href={path(home)}>{its.keep}</a>
      </p>
    </section>
  );
}

/** Returns the display name and logo of an integration. An integration that no longer exists is shown by its name. */
function shapeOf(name: string, integrations: Shown['integrations']): Shape {
  return integrations.get(name) ?? { displayName: name, logoUrl: '' };
}
