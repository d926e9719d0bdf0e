import { defineEventHandler, getCookie } from 'h3'
import { SESSION_COOKIE } from '../core/auth/sessions.ts'

/**
 * `/` is the public front page, and the home page of a member. The browser of whoever has a session's cookie draws it,
 * after it has asked whose it is; for everybody else the server does.
 */
export default defineEventHandler((event) => {
  const isStart = event.path === '/' || event.path.startsWith('/?')
  if (isStart && getCookie(event, SESSION_COOKIE)) event.context.nuxt = { ...event.context.nuxt, noSSR: true }
})
