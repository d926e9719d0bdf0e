/** Digits as people type them: of any Unicode script (`\p{Nd}`), with the separators of their keyboards. */

/** `٢٤٦`, `۲۴۶`, `２４６`, `२४६` → `246`; the rest of the text stays. */
export function toLatinDigits(text: string): string
/** A code: ` 246-810 `, `٢٤٦ ٨١٠` → `246810`. Separators are dropped; everything else stays. */
export function joinDigits(text: string): string
/** An amount as on the wire: `٤٥٫٥٠` → `45.50`, without white space and invisible marks around it. */
export function toDecimalText(text: string): string
/** A date: `１９８５-04-03` → `1985-04-03`, without white space and invisible marks. */
export function toPlainDigits(text: string): string
