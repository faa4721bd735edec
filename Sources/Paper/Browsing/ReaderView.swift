/// Leaves of a page what it is about: the part with the most words in paragraphs, without what stands around it.
public enum ReaderView {
    /// The same as an expression that is true once it is done, and does it once however often it is asked.
    public static let expression = "(window.quireReading ||= \(script))"

    static let script = """
        (() => {
            const words = element => (element.innerText || '').trim().length;
            const linked = element => [...element.querySelectorAll('a')].reduce((sum, a) => sum + words(a), 0);
            const score = element => [...element.querySelectorAll('p, li, blockquote, pre, table, h2, h3')]
                .reduce((sum, part) => sum + Math.min(words(part), 1000), 0) - 1.5 * linked(element);
            const likely = [...document.querySelectorAll('article, main, [role=main], [itemprop=articleBody]')];
            const others = [...document.querySelectorAll('section, div, td')].slice(0, 5000);
            let best = likely.filter(element => words(element) > 200).sort((a, b) => score(b) - score(a))[0];
            if (!best) {
                // The smallest part that still holds most of the words.
                const top = Math.max(0, ...others.map(score));
                best = others.filter(element => score(element) >= 0.7 * top)
                    .sort((a, b) => a.querySelectorAll('*').length - b.querySelectorAll('*').length)[0];
            }
            const text = (best || document.body).cloneNode(true);
            const clutter = 'script, style, noscript, template, nav, aside, footer, form, button, input, select, iframe,'
                + ' dialog, [role=navigation], [role=complementary], [role=banner], [role=dialog], [aria-hidden=true],'
                + ' [hidden], [class*=advert i], [class*=cookie i], [class*=share i], [class*=newsletter i],'
                + ' [class*=promo i], [class*=related i], [class*=sidebar i], [id*=cookie i], [id*=sidebar i]';
            for (const element of text.querySelectorAll(clutter)) element.remove();
            for (const element of text.querySelectorAll('*'))
                for (const name of ['style', 'class', 'width', 'height', 'align', 'bgcolor'])
                    if (!(name !== 'style' && element.tagName === 'IMG')) element.removeAttribute(name);
            const title = document.title;
            for (const sheet of document.querySelectorAll('style, link[rel~=stylesheet]')) sheet.remove();
            const page = document.createElement('body');
            if (!text.querySelector('h1') && title) {
                const heading = document.createElement('h1');
                heading.textContent = title;
                page.append(heading);
            }
            page.append(...text.childNodes);
            const style = document.createElement('style');
            style.textContent = 'body { font: 11.5pt/1.5 serif; max-width: 42em; margin: 0 auto; color: #111; }'
                + ' h1, h2, h3, h4 { font-family: sans-serif; line-height: 1.2; break-after: avoid; }'
                + ' img, svg, video { max-width: 100%; height: auto; } pre { white-space: pre-wrap; font-size: 9.5pt; }'
                + ' a { color: inherit; } table { border-collapse: collapse; } td, th { border: 1px solid #999;'
                + ' padding: 2pt 4pt; } blockquote { margin-inline: 1.5em; color: #444; }';
            document.documentElement.removeAttribute('style');
            document.documentElement.removeAttribute('class');
            document.body.replaceWith(page);
            document.head.append(style);
            return true;
        })()
        """
}
