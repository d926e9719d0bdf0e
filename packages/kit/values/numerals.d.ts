/** Digits as people type them: of any script of Unicode (`\p{Nd}`), with what their keyboards put between them. */

/** `٢٤٦`, `۲۴۶`, `２４６`, `२४६` → `246`; the rest of the text stays. */
export function toLatinDigits(text: string): string
/** A code: ` 246-810 `, `٢٤٦ ٨١٠` → `246810`. Separators are dropped; whatever else is in the text stays. */
export function joinDigits(text: string): string
/** An amount of the wire: `٤٥٫٥٠` → `45.50`, without white space and invisible marks around it. */
export function toDecimalText(text: string): string
/** A date: `１９８５-04-03` → `1985-04-03`, without white space and invisible marks. */
export function toPlainDigits(text: string): string
