import { approvalEn } from './approval-en.js';
import { authorizeEn } from './authorize-en.js';
import { portalEn } from './portal-en.js';

/** Every word of the pages. A language has the same keys: the compiler asks for each. */
export const en = {
  language: 'en',
  product: 'Drawbridge',
  runsOn: 'Runs on Drawbridge',
  skip: 'Skip to content',
  signIn: {
    title: 'Sign in',
    lead: 'Welcome back.',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    invitedOnly: 'No account yet? Ask somebody of your organization to invite you.',
    wrong: 'The email or the password is wrong.',
    ended: 'You are signed out.',
    or: 'or',
    mailLink: 'Email me a link instead',
    sent: 'If there is an account with that email, a link is on its way to it. It works once, for 15 minutes.',
    asWhom: (email: string) => `You are about to sign in as ${email}.`,
    linkUsed: 'This link does not work any more',
    linkUsedLead: 'It was used, or its 15 minutes are over. You can have a new one mailed to you.',
    again: 'Back to signing in',
    withProvider: (name: string) => `Sign in with ${name}`,
  },
  withProvider: {
    failed: 'You are not signed in',
    reasons: {
      denied: 'The other site says that this was not allowed.',
      provider:
        'We could not make sure with the other site who you are. Try again in a minute, or sign in another way.',
      over: 'That took too long, or was begun in another browser. Please begin again.',
      unverified_email: 'The other site does not confirm your email address. Confirm it there, then try again.',
      no_account: 'There is no account with that email, and nobody has invited it. Ask somebody of your organization.',
    },
  },
  connect: {
    title: (integration: string) => `Connect ${integration}`,
    lead: (organization: string, connection: string) => `${organization} will use it as “${connection}”.`,
    continueWith: (integration: string) => `Continue to ${integration}`,
    leading: (integration: string) => `Taking you to ${integration}`,
    submit: 'Connect',
    by: (type: string) =>
      type === 'OAUTH2'
        ? 'Sign in there instead'
        : type === 'SECRET_TEXT'
          ? 'Use an API key or token'
          : type === 'BASIC_AUTH'
            ? 'Use a user name and password'
            : 'Enter its details',
    secretText: 'API key or token',
    username: 'User name',
    password: 'Password',
    problem: (code: string, words?: string) => {
      const said = words ? ` It says: ${words}` : '';
      return code === 'refused'
        ? `That was not accepted. Check it and try again.${said}`
        : `It could not be reached to check this. Try again in a minute.${said}`;
    },
    noWay: 'This can not be connected at the moment. Tell whoever sent you here.',
    done: (integration: string) => `${integration} is connected`,
    failed: (integration: string) => `${integration} is not connected`,
    denied: 'It was not allowed there.',
    refused: 'It was not accepted.',
    close: 'You can close this window.',
    askAgain: 'You can close this window. To try again, ask for a new link where you came from.',
    goingOn: 'You are being taken back.',
    goOn: 'Go back now',
    busy: {
      title: 'It is being connected',
      text: 'This takes a moment. It was begun in this browser, or in another window.',
    },
    look: 'Look again',
    over: {
      title: 'This link does not work',
      text: 'It has expired, or was opened in another browser. Go back to where you came from and begin again.',
    },
    elsewhere: {
      title: 'That was not begun in this browser',
      text: 'What came back belongs to another browser. Nothing was connected.',
    },
    late: {
      title: 'That took too long',
      text: 'What came back can be used for 30 minutes after you were sent there. Nothing was connected.',
    },
    long: {
      title: 'The other site said too much',
      text: 'What came back is longer than what can be read here. Nothing was connected: tell whoever sent you here.',
    },
    replaced: {
      title: 'That was begun again since',
      text: 'What came back is of an earlier attempt, and is not used. Nothing was connected.',
    },
    away: {
      title: 'The other site did not answer',
      text: 'It agreed, but could not be asked for the rest. Nothing was connected: try again in a minute.',
    },
    beginAgain: 'Begin again',
  },
  signUp: {
    title: (organization: string) => `Join ${organization}`,
    lead: (email: string) => `You are invited as ${email}.`,
    name: 'Your name',
    password: 'Choose a password',
    submit: 'Create account and join',
    haveAccount: 'You have an account already?',
    signIn: 'Sign in to join',
    join: 'Join',
    forOther: (email: string, own: string) =>
      `This invitation is for ${email}, and you are signed in as ${own}. Sign out, then open the link again.`,
    needed: 'An invitation is needed',
    neededLead: 'Open the link in the email that invites you. If you have none, ask somebody of the organization.',
    gone: 'This invitation was used or withdrawn. Ask for a new one if you still need it.',
    expired: 'This invitation has expired. Ask for a new one.',
    exists: 'This email has an account already. Sign in to join.',
    member: 'You are a member already.',
  },
  account: {
    title: 'Your account',
    signOut: 'Sign out',
    profile: 'Profile',
    name: 'Name',
    email: 'Email',
    save: 'Save',
    organizations: 'Organizations',
    noOrganization: 'You belong to no organization yet. Open the link of an invitation to join one.',
    active: 'Active',
    switchTo: (name: string) => `Switch to ${name}`,
    password: 'Password',
    noPassword: 'You sign in without a password. You can choose one.',
    choosePassword: 'Choose password',
    signInAgain: 'To choose a password, sign out and in again, then do it within 15 minutes.',
    currentPassword: 'Current password',
    newPassword: 'New password',
    newPasswordHint: 'At least 8 characters. A few words that only you would put together are best.',
    changePassword: 'Change password',
    passwordEnds: 'This signs you out everywhere else.',
    sessions: 'Signed in at',
    thisDevice: 'This device',
    since: (date: string) => `since ${date}`,
    unknownDevice: 'Unknown browser',
    onSystem: (browser: string, system: string) => `${browser} on ${system}`,
    end: (device: string) => `Sign out of ${device}`,
    endShort: 'Sign out',
    newer: 'Newer sessions',
    older: 'Older sessions',
    endOthers: 'Sign out everywhere else',
  },
  approval: approvalEn,
  authorize: authorizeEn,
  portal: portalEn,
  roles: { owner: 'Owner', admin: 'Administrator', member: 'Member' },
  done: {
    joined: 'Welcome. You have joined.',
    proven: 'Your email is confirmed. The password that was set before that is removed: choose a new one here.',
    name: 'Your name is saved.',
    password: 'Your password is changed. You are signed out everywhere else.',
    session: 'That device is signed out.',
    sessions: 'You are signed out everywhere else.',
    organization: 'You act in another organization now.',
  },
  problems: {
    required: 'This is needed.',
    email: 'Enter an email address, such as name@example.com.',
    name: 'Use 1 to 100 characters.',
    newPassword: 'Use 8 to 200 characters.',
    currentPassword: 'This is not your password.',
  },
  errors: {
    title: 'That did not work',
    VALIDATION_ERROR: 'Something in the form is not right. Go back and try again.',
    FORBIDDEN: 'This form was sent from another site. Open the page again and repeat it here.',
    NOT_FOUND: 'There is nothing at this address.',
    RATE_LIMITED: 'Too many attempts. Wait a while, then try again.',
    UNAVAILABLE: 'We can not do this at the moment. Try again in a minute.',
    INTERNAL: 'Something went wrong on our side. Try again in a minute.',
    outcomeUnknown: 'We do not know whether this was done. Look at the current state before you repeat it.',
    retryIn: (minutes: number) =>
      `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    reference: (id: string) => `Reference: ${id}`,
    home: 'Go to your account',
  },
};

/** The words of a language, with the keys of English. */
export type Words = Translated<typeof en>;

type Translated<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : Translated<T[K]>;
};
