import { aBrowser } from '../support/browser/browser.ts'
import { enterCode } from '../support/browser/patient-page.ts'
import { visitPage } from '../support/browser/staff-page.ts'
import { startDemo } from './demo.ts'
const demo = await startDemo()
const browser = await aBrowser()
const out = '/tmp/shots'
try {
  const { url, login } = demo
  const api = async (path: string, init: any = {}) => {
    const r = await fetch(url + path, { ...init, headers: { 'content-type': 'application/json', ...(init.headers ?? {}) } })
    return { status: r.status, body: r.headers.get('content-type')?.includes('json') ? await r.json() as any : await r.arrayBuffer() }
  }
  const token = (await api('/api/v1/auth/login', { method: 'POST', body: JSON.stringify({ email: login.email, password: login.password }) })).body.data.access_token
  const H = { authorization: `Bearer ${token}` }
  const get = async (p: string) => (await api(p, { headers: H })).body.data
  const post = async (p: string, body: any) => { const r = await api(p, { method: 'POST', headers: H, body: JSON.stringify(body) }); if (r.status > 299) console.error(p, r.status, JSON.stringify(r.body)); return r.body.data }
  const tr = await get('/api/v1/catalog/treatments?page_size=50')
  const find = (w: string) => tr.find((x: any) => JSON.stringify(x.name).toLowerCase().includes(w)) ?? tr[0]
  const patients = await get('/api/v1/clinical/patients?page_size=5')
  const pros = await get('/api/v1/clinical/professionals?page_size=5')
  const offer = {
    patient_id: patients[0].id, professional_id: pros[0].id,
    items: [{ treatment_id: find('radiogr').id, teeth: ['46'] }, { treatment_id: find('limpieza').id }],
    choices: [
      { title: 'Cómo reponer la muela que falta', rule: 'exactly_one', options: [
        { title: 'Implante con corona', description: 'Un diente fijo nuevo. No se tocan los dientes vecinos.', recommended: true, items: [{ treatment_id: find('implante').id, teeth: ['46'] }, { treatment_id: find('corona').id, teeth: ['46'] }] },
        { title: 'Puente de tres piezas', description: 'Se apoya en los dientes vecinos, que hay que tallar.', items: [{ treatment_id: find('corona').id, teeth: ['45', '46', '47'] }] } ] },
      { title: 'Férula de noche', rule: 'at_most_one', options: [{ title: 'Férula de descarga', items: [{ treatment_id: find('férula').id, area: 'upper_jaw' }] }] },
      { title: 'Blanqueamiento', rule: 'at_most_one', options: [ { title: 'En la clínica', items: [{ treatment_id: find('blanqueamiento').id }] }, { title: 'En casa', items: [{ treatment_id: find('blanqueamiento').id, unit_price: '90.00' }] } ] }
    ],
    global_discount: { type: 'percent', value: '5' }
  }
  const draft = await post('/api/v1/budget/budgets', offer)
  const sentDraft = await post('/api/v1/budget/budgets', offer)
  const sent = await post(`/api/v1/budget/budgets/${sentDraft.id}/send`, { channel: 'manual', code: '482913' })
  const shots = async (w: number, h: number, opts: any = {}) => {
    const context = await browser.newContext({ viewport: { width: w, height: h }, locale: 'en-GB', timezoneId: 'Europe/Madrid', reducedMotion: 'reduce', ...opts })
    context.setDefaultTimeout(30000)
    const page = await context.newPage()
    page.on('console', m => m.type() === 'error' && console.error('console', m.text().slice(0, 300)))
    page.on('pageerror', e => console.error('pageerror', String(e).slice(0, 400)))
    const tag = `${w}${opts.colorScheme ? '-dark' : ''}`
    const shot = async (name: string, full = true) => { await page.waitForTimeout(600); await page.screenshot({ path: `${out}/c-${name}-${tag}.png`, fullPage: full }) }
    return { context, page, shot }
  }
  for (const [w, h, o] of [[390, 800, {}], [768, 1000, {}], [1280, 900, {}], [390, 800, { colorScheme: 'dark' }]] as const) {
    const { context, page, shot } = await shots(w, h, o)
    await page.goto(`${sent.url}?locale=es`)
    await enterCode(page, '482913').catch((e) => console.error(e))
    await page.locator('.budget').waitFor()
    await shot('open')
    await page.getByRole('button', { name: 'Aceptar' }).click(); await shot('missing', false)
    await page.getByRole('radio', { name: 'Puente de tres piezas' }).check({ force: true })
    await page.getByRole('checkbox', { name: 'Férula de descarga' }).check({ force: true })
    await shot('chosen')
    await page.getByRole('button', { name: 'Aceptar' }).click(); await page.waitForURL(/step=sign/); await shot('review')
    if (w === 390 && !('colorScheme' in o)) {
      await page.goBack(); await page.goto(`${sent.url}?locale=ar`); await page.locator('.budget').waitFor().catch(() => {}); await shot('ar')
      await page.emulateMedia({ media: 'print' }); await shot('print')
    }
    await context.close()
  }
  for (const [w, h] of [[1280, 900], [360, 740]] as const) {
    const { context, page, shot } = await shots(w, h)
    await context.addCookies([{ name: 'svc_language', value: 'en', url }])
    await page.goto(`${url}/login`)
    await page.locator('[type=submit]:enabled').waitFor()
    await page.locator('[type=email]').fill(login.email)
    await page.locator('[type=password]').fill(login.password)
    await page.locator('[type=submit]').click()
    await page.waitForURL(a => a.pathname !== '/login')
    await visitPage(page, `${url}/budgets/${draft.id}/edit`); await page.locator('[data-choice]').first().waitFor(); 
    await page.evaluate(() => document.querySelector('#content')?.scrollTo(0, 0)); await shot('editor', false)
    await page.locator('[data-choice]').first().scrollIntoViewIfNeeded(); await shot('editor-choice', false)
    await page.getByRole('button', { name: 'Add options' }).click(); await shot('add-options', false); await page.keyboard.press('Escape')
    await visitPage(page, `${url}/budgets/${draft.id}`); await shot('detail', false); await page.locator('[data-choice]').first().scrollIntoViewIfNeeded().catch(() => {}); await shot('detail-choice', false)
    await visitPage(page, `${url}/budgets/${draft.id}/preview`); await shot('preview', false)
    await context.close()
  }
} finally { await browser.close(); await demo.stop() }
