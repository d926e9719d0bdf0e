import { problem, type Clinic } from '@svc/kit'

/**
 * A request may say in which mode its price was typed. Throws `price_mode_changed` when the clinic has another by now.
 */
export function assertPriceMode({ prices_include_tax }: Clinic, typed: boolean | undefined): void {
  if (typed !== undefined && typed !== prices_include_tax) throw problem('price_mode_changed')
}
