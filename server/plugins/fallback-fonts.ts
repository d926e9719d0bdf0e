import folder from '#svc/fallback-fonts'
import type { NitroApp } from 'nitropack/types'
import { fontSheetsFor } from '../../shared/fallback-fonts.ts'

/** Links the fonts for the scripts on a page, so that it has them without JavaScript too. */
export default ({ hooks }: Pick<NitroApp, 'hooks'>) => {
  hooks.hook('render:html', (page) => {
    const links = fontSheetsFor(page.body.join('')).map(sheet => `<link rel="stylesheet" href="${folder}/${sheet}.css">`)
    page.head.push(...links)
  })
}
