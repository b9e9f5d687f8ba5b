/** What no reader sees, or what turns round the words beside it. Joiners and selectors stand in emoji and in Persian: they stay. */
const UNSEEN = /(?![\r\n\t\u200c\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Somebody's text for who must know what it is before they say yes to it: what does not show itself is named. */
export function plainly(text: string): string {
  return text.replace(UNSEEN, (mark) => `⟨U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
