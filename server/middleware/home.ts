import { defineEventHandler, getCookie } from 'h3'
import { SESSION_COOKIE } from '../core/people/sessions/sessions.ts'

/**
 * `/` is the public front page, and for members their home page. A browser with a session's cookie first requests whose
 * session it is and then draws the page; for everyone else the server draws it.
 */
export default defineEventHandler((event) => {
  const isStart = event.path === '/' || event.path.startsWith('/?')
  if (isStart && getCookie(event, SESSION_COOKIE)) event.context.nuxt = { ...event.context.nuxt, noSSR: true }
})
