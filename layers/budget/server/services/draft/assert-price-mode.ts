import { problem } from '@svc/kit'

/**
 * A request may state how its prices were entered. Throws `price_mode_changed` if the budget has them the other way.
 */
export function assertPriceMode(
  prices_include_tax: boolean,
  { prices_include_tax: typed = prices_include_tax }: { prices_include_tax?: boolean }
): void {
  if (typed !== prices_include_tax)
    throw problem('price_mode_changed', {
      detail: `The prices of this budget ${prices_include_tax ? 'include' : 'do not include'} tax. Load the page again, then check the prices.`
    })
}
