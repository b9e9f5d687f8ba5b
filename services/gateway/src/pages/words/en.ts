import { approvalEn } from './approval-en.js';
import { authorizeEn } from './authorize-en.js';
import { connectEn } from './connect-en.js';
import { portalEn } from './portal-en.js';

/** All texts of the pages. Every language has the same keys, which the compiler checks. */
export const en = {
  language: 'en',
  product: 'Drawbridge',
  runsOn: 'Runs on Drawbridge',
  skip: 'Skip to content',
  start: {
    title: 'Drawbridge is running',
    lead: 'It lets your products and AI agents use the accounts that people connect, within the policies that you set.',
    guides: 'Guides',
    reference: 'API reference',
    document: 'OpenAPI document',
    health: 'Health',
    isNew: 'New installation?',
    firstSignIn:
      'The terminal that started this server shows a link to sign in as its owner. This command prints a new one:',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Welcome back.',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    invitedOnly: 'No account yet? Ask an administrator of your organization to invite you.',
    wrong: 'The email or the password is wrong.',
    ended: 'You are signed out.',
    or: 'or',
    mailLink: 'Email me a link instead',
    inbox: 'Check your inbox',
    noMail: 'No email after a few minutes? Look in your spam folder, or request another link.',
    sent: 'If an account has this email address, we sent a sign-in link to it. The link works once, for 15 minutes.',
    asWhom: (email: string) => `You are about to sign in as ${email}.`,
    linkUsed: 'This link no longer works',
    linkUsedLead: 'It was already used, or is older than 15 minutes. Request a new one.',
    again: 'Back to sign-in',
    withProvider: (name: string) => `Sign in with ${name}`,
  },
  withProvider: {
    failed: 'You are not signed in',
    reasons: {
      denied: 'Your sign-in provider refused the request.',
      provider:
        'We could not confirm your identity with your sign-in provider. Try again in a minute, or sign in another way.',
      over: 'The sign-in took too long, or started in another browser. Start again.',
      unverified_email: 'Your sign-in provider has not verified your email address. Verify it there, then try again.',
      no_account:
        'There is no account or invitation for this email address. Ask an administrator of your organization to invite you.',
    },
  },
  connect: connectEn,
  signUp: {
    title: (organization: string) => `Join ${organization}`,
    lead: (email: string) => `You are invited as ${email}.`,
    name: 'Your name',
    password: 'Choose a password',
    submit: 'Create account and join',
    haveAccount: 'Already have an account?',
    signIn: 'Sign in to join',
    join: 'Join',
    forOther: (email: string, own: string) =>
      `This invitation is for ${email}, and you are signed in as ${own}. Sign out, then open the link again.`,
    needed: 'You need an invitation',
    neededLead: 'Open the link in your invitation email. If you have none, ask an administrator of the organization.',
    gone: 'This invitation was already used or canceled. Ask for a new one if you still need it.',
    expired: 'This invitation has expired. Ask for a new one.',
    exists: 'An account with this email address already exists. Sign in to join.',
  },
  account: {
    title: 'Your account',
    signOut: 'Sign out',
    profile: 'Profile',
    name: 'Name',
    save: 'Save',
    organizations: 'Organizations',
    noOrganization: 'You do not belong to an organization yet. Open the link in an invitation to join one.',
    active: 'Active',
    switchTo: (name: string) => `Switch to ${name}`,
    password: 'Password',
    noPassword: 'You sign in without a password. You can set one.',
    choosePassword: 'Set password',
    signInAgain: 'To set a password, sign out, sign in again, and set it within 15 minutes.',
    currentPassword: 'Current password',
    newPassword: 'New password',
    newPasswordHint: 'At least 8 characters. Several unrelated words make a strong password.',
    changePassword: 'Change password',
    passwordEnds: 'This signs you out everywhere else.',
    sessions: 'Active sessions',
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
    proven: 'Your email address is confirmed. The earlier password was removed. Choose a new one here.',
    name: 'Your name is saved.',
    password: 'Your password is changed. You are signed out everywhere else.',
    session: 'The device is signed out.',
    sessions: 'You are signed out everywhere else.',
    organization: 'You switched to another organization.',
  },
  problems: {
    required: 'This field is required.',
    invalid: 'This value is not valid.',
    email: 'Enter an email address, such as name@example.com.',
    name: 'Use 1 to 100 characters.',
    newPassword: 'Use 8 to 200 characters.',
    currentPassword: 'This is not your password.',
  },
  errors: {
    title: 'Something went wrong',
    notFound: 'Page not found',
    VALIDATION_ERROR: 'The form contains an invalid value. Go back and try again.',
    FORBIDDEN: 'This form was submitted from another site. Open the page again and submit it here.',
    NOT_FOUND: 'There is no page at this address. Check the link, or ask for a new one.',
    RATE_LIMITED: 'Too many attempts. Wait a while, then try again.',
    UNAVAILABLE: 'This is not available at the moment. Try again in a minute.',
    INTERNAL: 'Something went wrong on our side. Try again in a minute.',
    outcomeUnknown: 'We do not know whether this was completed. Check the current state before you repeat it.',
    retryIn: (minutes: number) =>
      `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    reference: (id: string) => `Reference: ${id}`,
    home: 'Go to your account',
  },
};

/** The texts of a language, with the keys of English. */
export type Words = Translated<typeof en>;

type Translated<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : Translated<T[K]>;
};
