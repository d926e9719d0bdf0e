/** Amounts in minor units; `vat` in hundredths of a percent. */
export interface TaxedLine { vat: number, price: bigint, tax: bigint }
export interface TaxedRate { vat: number, net: bigint, tax: bigint, gross: bigint }

/** Sums per rate, lowest first. The lines' own taxes are added up, so nothing is rounded again. */
export function taxesByRate(lines: readonly TaxedLine[]): TaxedRate[] {
  const rates = [...new Set(lines.map(line => line.vat))].sort((a, b) => a - b)
  return rates.map((vat) => {
    const same = lines.filter(line => line.vat === vat)
    const gross = same.reduce((sum, line) => sum + line.price, 0n)
    const tax = same.reduce((sum, line) => sum + line.tax, 0n)
    return { vat, net: gross - tax, tax, gross }
  })
}
