import { brandColors, type Colors, DARK, FONTS, LIGHT, RADII, SPACES, TEXT_SIZES, WIDTHS } from '@drawbridge/design';

export interface MailBrand {
  name: string;
  /** The color of the button, `#rrggbb`. Default: the product's color. */
  color?: string;
}

interface Shown {
  language: string;
  /** The name at the top. It and all texts below are HTML. */
  name: string;
  color?: string;
  title: string;
  paragraphs: readonly string[];
  action: { link: string; label: string } | { code: string };
  /** The text before the link, for a reader without the button. */
  orOpen: string;
  after: string;
  footer?: string;
}

/**
 * Returns the HTML of an email. It loads nothing, and uses a table with `style` attributes for its layout, because Outlook supports no other layout.
 */
export function mailHtml({ language, name, color, title, paragraphs, action, orOpen, after, footer }: Shown): string {
  const look = styles(color);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${darkStyles(color)}</style>
</head>
<body class="ground" style="margin:0;${look.ground}">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="${look.ground}"><tr><td align="center" style="${look.page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${look.column}">
<tr><td class="ink" style="${look.name}">${name}</td></tr>
<tr><td class="card ink" style="${look.card}">
<h1 class="ink" style="${look.title}">${title}</h1>
${paragraphs.map((text) => `<p style="${look.text}">${text}</p>`).join('\n')}
${actionHtml(action, orOpen, look)}
<p class="quiet line" style="${look.after}">${after}</p>
</td></tr>
${footer === undefined ? '' : `<tr><td class="quiet" style="${look.footer}">${footer}</td></tr>`}
</table>
</td></tr></table>
</body>
</html>
`;
}

function actionHtml(action: Shown['action'], orOpen: string, look: Styles): string {
  if ('code' in action) return `<p class="ground ink" style="${look.code}">${action.code}</p>`;
  const { link, label } = action;
  return `<p style="${look.text}"><a class="button" href="${link}" style="${look.button}">${label}</a></p>
<p class="quiet" style="${look.small}">${orOpen}<br>
<a class="accent" href="${link}" style="${look.link}">${link}</a></p>`;
}

type Styles = ReturnType<typeof styles>;

const px = (pixels: number): string => `${pixels}px`;

/** Returns the styles of the light theme, which email clients without support for media queries display. */
function styles(color: string | undefined) {
  const { small, body, heading, title, code } = TEXT_SIZES;
  const font = (size: number, more = ''): string => `font:${more}${px(size)}/1.5 ${FONTS.text.replaceAll("'", '')};`;
  const quiet = `${font(small)}color:${LIGHT.quiet};overflow-wrap:anywhere;`;
  return {
    ground: `background:${LIGHT.ground};`,
    page: `padding:${px(SPACES.huge)} ${px(SPACES.base)};`,
    column: `max-width:${px(WIDTHS.mail)};text-align:left;`,
    name: `padding:0 0 ${px(SPACES.base)};${font(heading, '600 ')}color:${LIGHT.ink};overflow-wrap:anywhere;`,
    card: `padding:${px(SPACES.huge)};background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:${px(RADII.card)};color:${LIGHT.ink};`,
    title: `margin:0 0 ${px(SPACES.base)};${font(title, '700 ')}line-height:1.25;color:${LIGHT.ink};overflow-wrap:anywhere;`,
    text: `margin:0 0 ${px(SPACES.wide)};${font(body)}overflow-wrap:anywhere;`,
    button: `display:inline-block;padding:${px(SPACES.medium)} ${px(SPACES.wide)};border-radius:${px(RADII.control)};${font(body, '600 ')}text-decoration:none;${buttonColors(color, LIGHT)}`,
    small: `margin:0 0 ${px(SPACES.wide)};${quiet}`,
    link: `color:${color === undefined ? LIGHT.accent : brandColors(color).light.accent};`,
    code: `margin:0 0 ${px(SPACES.wide)};padding:${px(SPACES.base)};background:${LIGHT.ground};border-radius:${px(RADII.control)};font:600 ${px(code)}/1.5 ${FONTS.code.replaceAll("'", '')};text-align:center;`,
    after: `margin:0;padding:${px(SPACES.large)} 0 0;border-top:1px solid ${LIGHT.line};${quiet}`,
    footer: `padding:${px(SPACES.large)} 0 0;${quiet}`,
  };
}

/** Returns the colors of the button. A button in the organization's color has a border if it is not visible on the card. */
function buttonColors(color: string | undefined, theme: Colors): string {
  if (color === undefined)
    return `background:${theme.accent};color:${theme.onAccent};border:1px solid ${theme.accent};`;
  const { fill, onFill, ...themes } = brandColors(color);
  const { isSeen } = theme === LIGHT ? themes.light : themes.dark;
  return `background:${fill};color:${onFill};border:1px solid ${isSeen ? fill : theme.edge};`;
}

/** Returns the CSS rules that replace the colors in a dark theme. */
function darkStyles(color: string | undefined): string {
  const accent = color === undefined ? DARK.accent : brandColors(color).dark.accent;
  const rules = {
    ground: `background:${DARK.ground};`,
    card: `background:${DARK.card};border-color:${DARK.line};`,
    ink: `color:${DARK.ink};`,
    quiet: `color:${DARK.quiet};`,
    line: `border-color:${DARK.line};`,
    accent: `color:${accent};`,
    button: buttonColors(color, DARK),
  };
  const lines = Object.entries(rules).map(([name, css]) => `.${name}{${css.replaceAll(';', ' !important;')}}`);
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${lines.join('')}}`;
}
