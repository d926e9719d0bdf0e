import type { FormLine } from '../utils/budget-form.ts'
import { usualPrice } from '../utils/usual-price.ts'

/**
 * Makes a line that was saved before a new one, with the tax and the name that the catalog has now. One that cannot be
 * read there stays as it is, and the server refuses it: nothing is saved for another price than is shown.
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
        usual_price: usualPrice(treatment, mode())
      })
  }
}
