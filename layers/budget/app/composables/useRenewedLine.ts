import type { FormLine } from '../utils/budget-form.ts'
import { usualPrice } from '../utils/usual-price.ts'

/**
 * Turns a saved line into a new one, with the catalog's current tax and name. If the treatment can't be loaded, the
 * line stays as it is and the server refuses it, so that no line is saved at another price than the one shown.
 */
export function useRenewedLine(mode: () => Parameters<typeof usualPrice>[1]) {
  const catalog = useCatalogApi()
  return async (line: FormLine) => {
    const treatment = await catalog.getTreatment(line.treatment_id).then(({ data }) => data, () => null)
    if (treatment)
      Object.assign(line, {
        id: null,
        code: treatment.code,
        names: treatment.name,
        vat: treatment.vat,
        counts: line.counts ?? treatment.counts,
        usual_price: usualPrice(treatment, mode())
      })
  }
}
