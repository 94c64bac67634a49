import hljs from 'highlight.js/lib/common'
import {Marked} from 'marked'
import sanitizeHtml from 'sanitize-html'
import {escaped, type Html} from './html.js'

const marked = new Marked({
  gfm: true,
  renderer: {
    code({text, lang}) {
      const language = /^[\w+#.-]+/.exec(lang ?? '')?.[0] ?? ''
      const known = hljs.getLanguage(language) !== undefined
      const code = known ? hljs.highlight(text, {language, ignoreIllegals: true}).value : escaped(text)
      return `<pre><code>${code}</code></pre>\n`
    },
    // What a model writes is text; HTML in it is shown and not obeyed.
    html: ({text}) => escaped(text),
  },
})

const tags =
  'p br hr pre code em strong del blockquote ul ol li a span h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(' ')

/** Markdown from a model, a tool or a person as HTML that runs nothing, loads nothing and looks like nothing of ours (P26). */
export const markdown = (text: string): Html => ({
  markup: sanitizeHtml(marked.parse(text, {async: false}), {
    allowedTags: tags,
    allowedAttributes: {a: ['href', 'rel'], span: ['class'], ol: ['start']},
    allowedClasses: {span: ['hljs-*']},
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: {a: sanitizeHtml.simpleTransform('a', {rel: 'noopener noreferrer nofollow'})},
  }),
})
