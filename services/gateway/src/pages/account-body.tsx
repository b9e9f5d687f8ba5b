import { type Account, type Membership, type Session } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import Bowser from 'bowser';
import { type VNode } from 'preact';
import { type Asked } from './kit/page-kit.js';
import { Field, Form, Section } from './kit/parts.js';
import { type Words } from './words/en.js';

export type Problems = Partial<Record<keyof Words['problems'], string>>;

interface Shown extends Pick<Asked, 'words' | 'path'> {
  account: Account;
  sessionsPage: number;
  problems: Problems;
  notice?: VNode;
}

export function AccountBody(shown: Shown): VNode {
  const { words, account, notice } = shown;
  return (
    <>
      <h1>{words.account.title}</h1>
      <p class="lead">{account.user?.email}</p>
      {notice}
      <Profile {...shown} />
      <Organizations {...shown} />
      <Password {...shown} />
      <Sessions {...shown} />
    </>
  );
}

function Profile({ account, words, path, problems }: Shown): VNode {
  const { name, profile, save } = words.account;
  return (
    <Section id="profile" title={profile}>
      <Form action={path('/account/name')}>
        <Field name="name" label={name} value={account.user?.name} autocomplete="name" problem={problems.name} />
        <button type="submit">{save}</button>
      </Form>
    </Section>
  );
}

function Organizations({ account, words, path }: Shown): VNode {
  const { organizations, noOrganization } = words.account;
  return (
    <Section id="organizations" title={organizations}>
      {account.memberships.length === 0 && <p>{noOrganization}</p>}
      <ul class="rows">
        {account.memberships.map((one) => (
          <OrganizationRow one={one} words={words} path={path} />
        ))}
      </ul>
    </Section>
  );
}

function OrganizationRow({ one, words, path }: Pick<Shown, 'words' | 'path'> & { one: Membership }): VNode {
  const { active, switchTo } = words.account;
  return (
    <li>
      <div>
        <strong>{one.name}</strong>
        <span class="quiet">{words.roles[one.role as keyof Words['roles']] ?? one.role}</span>
      </div>
      {one.isActive ? (
        <span class="badge">{active}</span>
      ) : (
        <Form action={path('/account/organization')} hidden={{ orgId: one.orgId }}>
          <button type="submit">{switchTo(one.name)}</button>
        </Form>
      )}
    </li>
  );
}

function Password({ account: { hasPassword, user }, words, path, problems }: Shown): VNode {
  const its = words.account;
  return (
    <Section id="password" title={its.password}>
      {!hasPassword && <p class="quiet">{its.noPassword}</p>}
      <Form action={path('/account/password')} hidden={{ username: user?.email ?? '' }}>
        {hasPassword && (
          <Field
            name="currentPassword"
            label={its.currentPassword}
            type="password"
            autocomplete="current-password"
            problem={problems.currentPassword}
          />
        )}
        <Field
          name="newPassword"
          label={its.newPassword}
          type="password"
          autocomplete="new-password"
          hint={its.newPasswordHint}
          problem={problems.newPassword}
        />
        <button type="submit">{hasPassword ? its.changePassword : its.choosePassword}</button>
        {hasPassword && <p class="quiet">{its.passwordEnds}</p>}
      </Form>
    </Section>
  );
}

function Sessions(shown: Shown): VNode {
  const { account, sessionsPage, words, path } = shown;
  const { sessions, endOthers } = words.account;
  return (
    <Section id="sessions" title={sessions}>
      <ul class="rows">
        {account.sessions.map((one) => (
          <SessionRow one={one} words={words} path={path} />
        ))}
      </ul>
      <OtherPages {...shown} />
      {(account.sessions.length > 1 || sessionsPage > 0) && (
        <Form action={path('/account/sessions')}>
          <button type="submit">{endOthers}</button>
        </Form>
      )}
    </Section>
  );
}

function OtherPages({ account, sessionsPage, words, path }: Shown): VNode | null {
  const { newer, older } = words.account;
  if (sessionsPage === 0 && !account.hasOlderSessions) return null;
  const to = (page: number): string => path(`/account?sessions=${page}#sessions`);
  return (
    <nav aria-labelledby="sessions">
      {sessionsPage > 0 && <a href={to(sessionsPage - 1)}>{newer}</a>}{' '}
      {account.hasOlderSessions && <a href={to(sessionsPage + 1)}>{older}</a>}
    </nav>
  );
}

function SessionRow({ one, words, path }: Pick<Shown, 'words' | 'path'> & { one: Session }): VNode {
  const { thisDevice, since, end, endShort } = words.account;
  const device = deviceOf(one.userAgent, words);
  const date = new Intl.DateTimeFormat(words.language, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <li>
      <div>
        <strong>{device}</strong>
        <span class="quiet">
          {one.address} · <time dateTime={one.createdAt}>{since(date.format(new Date(one.createdAt)))}</time>
        </span>
      </div>
      {one.isCurrent ? (
        <span class="badge">{thisDevice}</span>
      ) : (
        <Form action={path('/account/sessions')} hidden={{ sessionId: one.id }}>
          <button type="submit" aria-label={end(device)}>
            {endShort}
          </button>
        </Form>
      )}
    </li>
  );
}

/** Returns a readable device name, such as `Firefox on Windows`, from the User-Agent header, which a client can forge. */
function deviceOf(userAgent: string, { account }: Words): string {
  if (userAgent === '') return account.unknownDevice;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return account.unknownDevice;
  return os.name ? account.onSystem(browser.name, os.name) : browser.name;
}
