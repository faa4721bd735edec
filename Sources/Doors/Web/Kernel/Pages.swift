/// The pages of the app, as functions from a frame and a page's own model to HTML.
///
/// Models hold plain values, so a page can be made, tested and looked at without a desk behind it.
/// What the forms on them send is listed in docs/web.md.
enum Pages {}
