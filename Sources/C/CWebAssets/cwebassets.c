#include "cwebassets.h"

// Each file is named twice here, for its bytes and for its place in the table; `#embed` (C23) puts the bytes into the
// program without a build step. A test compares the table with the folder.
static const unsigned char apple_touch_icon_png[] = {
#embed "files/apple-touch-icon.png"
};
static const unsigned char card_worker_js[] = {
#embed "files/card-worker.js"
};
static const unsigned char card_css[] = {
#embed "files/card.css"
};
static const unsigned char catalogs_cards_texts[] = {
#embed "files/catalogs/cards.texts"
};
static const unsigned char catalogs_client_texts[] = {
#embed "files/catalogs/client.texts"
};
static const unsigned char catalogs_comparing_texts[] = {
#embed "files/catalogs/comparing.texts"
};
static const unsigned char catalogs_converting_texts[] = {
#embed "files/catalogs/converting.texts"
};
static const unsigned char catalogs_failures_texts[] = {
#embed "files/catalogs/failures.texts"
};
static const unsigned char catalogs_help_texts[] = {
#embed "files/catalogs/help.texts"
};
static const unsigned char catalogs_journal_texts[] = {
#embed "files/catalogs/journal.texts"
};
static const unsigned char catalogs_library_texts[] = {
#embed "files/catalogs/library.texts"
};
static const unsigned char catalogs_marking_texts[] = {
#embed "files/catalogs/marking.texts"
};
static const unsigned char catalogs_packets_texts[] = {
#embed "files/catalogs/packets.texts"
};
static const unsigned char catalogs_pages_texts[] = {
#embed "files/catalogs/pages.texts"
};
static const unsigned char catalogs_people_texts[] = {
#embed "files/catalogs/people.texts"
};
static const unsigned char catalogs_reasons_texts[] = {
#embed "files/catalogs/reasons.texts"
};
static const unsigned char catalogs_redacting_texts[] = {
#embed "files/catalogs/redacting.texts"
};
static const unsigned char catalogs_sending_texts[] = {
#embed "files/catalogs/sending.texts"
};
static const unsigned char css_base_css[] = {
#embed "files/css/base.css"
};
static const unsigned char css_layout_css[] = {
#embed "files/css/layout.css"
};
static const unsigned char css_rooms_cards_css[] = {
#embed "files/css/rooms-cards.css"
};
static const unsigned char css_more_flow_css[] = {
#embed "files/css/more-flow.css"
};
static const unsigned char css_more_pages_css[] = {
#embed "files/css/more-pages.css"
};
static const unsigned char css_more_tables_css[] = {
#embed "files/css/more-tables.css"
};
static const unsigned char css_parts_controls_css[] = {
#embed "files/css/parts-controls.css"
};
static const unsigned char css_rooms_grid_css[] = {
#embed "files/css/rooms-grid.css"
};
static const unsigned char css_parts_navigation_css[] = {
#embed "files/css/parts-navigation.css"
};
static const unsigned char css_rooms_papers_css[] = {
#embed "files/css/rooms-papers.css"
};
static const unsigned char css_rooms_scan_css[] = {
#embed "files/css/rooms-scan.css"
};
static const unsigned char css_rooms_sending_css[] = {
#embed "files/css/rooms-sending.css"
};
static const unsigned char css_parts_surfaces_css[] = {
#embed "files/css/parts-surfaces.css"
};
static const unsigned char css_reset_css[] = {
#embed "files/css/reset.css"
};
static const unsigned char css_tokens_css[] = {
#embed "files/css/tokens.css"
};
static const unsigned char css_utilities_css[] = {
#embed "files/css/utilities.css"
};
static const unsigned char icon_192_png[] = {
#embed "files/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "files/icon-512.png"
};
static const unsigned char icon_maskable_512_png[] = {
#embed "files/icon-maskable-512.png"
};
static const unsigned char icon_svg[] = {
#embed "files/icon.svg"
};
static const unsigned char icons_svg[] = {
#embed "files/icons.svg"
};
static const unsigned char js_app_lock_js[] = {
#embed "files/js/app-lock.js"
};
static const unsigned char js_app_js[] = {
#embed "files/js/app.js"
};
static const unsigned char js_away_bar_js[] = {
#embed "files/js/away-bar.js"
};
static const unsigned char js_camera_js[] = {
#embed "files/js/camera.js"
};
static const unsigned char js_code_camera_js[] = {
#embed "files/js/code-camera.js"
};
static const unsigned char js_command_palette_js[] = {
#embed "files/js/command-palette.js"
};
static const unsigned char js_compare_desk_js[] = {
#embed "files/js/compare-desk.js"
};
static const unsigned char js_confirm_dialog_js[] = {
#embed "files/js/confirm-dialog.js"
};
static const unsigned char js_contact_picker_js[] = {
#embed "files/js/contact-picker.js"
};
static const unsigned char js_copy_button_js[] = {
#embed "files/js/copy-button.js"
};
static const unsigned char js_crop_image_js[] = {
#embed "files/js/crop-image.js"
};
static const unsigned char js_data_table_js[] = {
#embed "files/js/data-table.js"
};
static const unsigned char js_drafts_js[] = {
#embed "files/js/drafts.js"
};
static const unsigned char js_elements_js[] = {
#embed "files/js/elements.js"
};
static const unsigned char js_events_js[] = {
#embed "files/js/events.js"
};
static const unsigned char js_field_boxes_js[] = {
#embed "files/js/field-boxes.js"
};
static const unsigned char js_fill_desk_js[] = {
#embed "files/js/fill-desk.js"
};
static const unsigned char js_folder_tree_js[] = {
#embed "files/js/folder-tree.js"
};
static const unsigned char js_formula_field_js[] = {
#embed "files/js/formula-field.js"
};
static const unsigned char js_fresh_js[] = {
#embed "files/js/fresh.js"
};
static const unsigned char js_grid_table_js[] = {
#embed "files/js/grid-table.js"
};
static const unsigned char js_install_hint_js[] = {
#embed "files/js/install-hint.js"
};
static const unsigned char js_keep_paper_js[] = {
#embed "files/js/keep-paper.js"
};
static const unsigned char js_kept_pages_js[] = {
#embed "files/js/kept-pages.js"
};
static const unsigned char js_kept_papers_js[] = {
#embed "files/js/kept-papers.js"
};
static const unsigned char js_key_hints_js[] = {
#embed "files/js/key-hints.js"
};
static const unsigned char js_letter_editor_js[] = {
#embed "files/js/letter-editor.js"
};
static const unsigned char js_live_jobs_js[] = {
#embed "files/js/live-jobs.js"
};
static const unsigned char js_live_part_js[] = {
#embed "files/js/live-part.js"
};
static const unsigned char js_local_number_js[] = {
#embed "files/js/local-number.js"
};
static const unsigned char js_local_time_js[] = {
#embed "files/js/local-time.js"
};
static const unsigned char js_looks_form_js[] = {
#embed "files/js/looks-form.js"
};
static const unsigned char js_make_js[] = {
#embed "files/js/make.js"
};
static const unsigned char js_mark_ask_js[] = {
#embed "files/js/mark-ask.js"
};
static const unsigned char js_mark_desk_js[] = {
#embed "files/js/mark-desk.js"
};
static const unsigned char js_mark_link_js[] = {
#embed "files/js/mark-link.js"
};
static const unsigned char js_mark_pages_js[] = {
#embed "files/js/mark-pages.js"
};
static const unsigned char js_mark_shapes_js[] = {
#embed "files/js/mark-shapes.js"
};
static const unsigned char js_mark_signature_js[] = {
#embed "files/js/mark-signature.js"
};
static const unsigned char js_match_board_js[] = {
#embed "files/js/match-board.js"
};
static const unsigned char js_more_lines_js[] = {
#embed "files/js/more-lines.js"
};
static const unsigned char js_nfc_writer_js[] = {
#embed "files/js/nfc-writer.js"
};
static const unsigned char js_page_board_js[] = {
#embed "files/js/page-board.js"
};
static const unsigned char js_page_crop_js[] = {
#embed "files/js/page-crop.js"
};
static const unsigned char js_page_fields_js[] = {
#embed "files/js/page-fields.js"
};
static const unsigned char js_page_reader_js[] = {
#embed "files/js/page-reader.js"
};
static const unsigned char js_passkey_button_js[] = {
#embed "files/js/passkey-button.js"
};
static const unsigned char js_photo_field_js[] = {
#embed "files/js/photo-field.js"
};
static const unsigned char js_picture_field_js[] = {
#embed "files/js/picture-field.js"
};
static const unsigned char js_presence_js[] = {
#embed "files/js/presence.js"
};
static const unsigned char js_push_switch_js[] = {
#embed "files/js/push-switch.js"
};
static const unsigned char js_redact_areas_js[] = {
#embed "files/js/redact-areas.js"
};
static const unsigned char js_requests_js[] = {
#embed "files/js/requests.js"
};
static const unsigned char js_scan_camera_js[] = {
#embed "files/js/scan-camera.js"
};
static const unsigned char js_scan_eye_js[] = {
#embed "files/js/scan-eye.js"
};
static const unsigned char js_scan_photo_js[] = {
#embed "files/js/scan-photo.js"
};
static const unsigned char js_scan_review_js[] = {
#embed "files/js/scan-review.js"
};
static const unsigned char js_scan_store_js[] = {
#embed "files/js/scan-store.js"
};
static const unsigned char js_scan_wishes_js[] = {
#embed "files/js/scan-wishes.js"
};
static const unsigned char js_seal_place_js[] = {
#embed "files/js/seal-place.js"
};
static const unsigned char js_share_button_js[] = {
#embed "files/js/share-button.js"
};
static const unsigned char js_side_by_side_js[] = {
#embed "files/js/side-by-side.js"
};
static const unsigned char js_sign_places_js[] = {
#embed "files/js/sign-places.js"
};
static const unsigned char js_soft_page_js[] = {
#embed "files/js/soft-page.js"
};
static const unsigned char js_sort_list_js[] = {
#embed "files/js/sort-list.js"
};
static const unsigned char js_texts_js[] = {
#embed "files/js/texts.js"
};
static const unsigned char js_theme_switch_js[] = {
#embed "files/js/theme-switch.js"
};
static const unsigned char js_toast_region_js[] = {
#embed "files/js/toast-region.js"
};
static const unsigned char js_trust_js[] = {
#embed "files/js/trust.js"
};
static const unsigned char js_unkept_js[] = {
#embed "files/js/unkept.js"
};
static const unsigned char js_upload_zone_js[] = {
#embed "files/js/upload-zone.js"
};
static const unsigned char js_uploads_js[] = {
#embed "files/js/uploads.js"
};
static const unsigned char js_waiting_acts_js[] = {
#embed "files/js/waiting-acts.js"
};
static const unsigned char js_waiting_panel_js[] = {
#embed "files/js/waiting-panel.js"
};
static const unsigned char js_waiting_js[] = {
#embed "files/js/waiting.js"
};
static const unsigned char js_zone_choice_js[] = {
#embed "files/js/zone-choice.js"
};
static const unsigned char robots_txt[] = {
#embed "files/robots.txt"
};
static const unsigned char scan_worker_js[] = {
#embed "files/scan-worker.js"
};
static const unsigned char scan_wasm[] = {
#embed "files/scan.wasm"
};
static const unsigned char sw_js[] = {
#embed "files/sw.js"
};
static const unsigned char trust_css[] = {
#embed "files/trust.css"
};
static const unsigned char trust_js[] = {
#embed "files/trust.js"
};

static const struct cwebassets_file table[] = {
    {"apple-touch-icon.png", apple_touch_icon_png, sizeof apple_touch_icon_png},
    {"card-worker.js", card_worker_js, sizeof card_worker_js},
    {"card.css", card_css, sizeof card_css},
    {"catalogs/cards.texts", catalogs_cards_texts, sizeof catalogs_cards_texts},
    {"catalogs/client.texts", catalogs_client_texts, sizeof catalogs_client_texts},
    {"catalogs/comparing.texts", catalogs_comparing_texts, sizeof catalogs_comparing_texts},
    {"catalogs/converting.texts", catalogs_converting_texts, sizeof catalogs_converting_texts},
    {"catalogs/failures.texts", catalogs_failures_texts, sizeof catalogs_failures_texts},
    {"catalogs/help.texts", catalogs_help_texts, sizeof catalogs_help_texts},
    {"catalogs/journal.texts", catalogs_journal_texts, sizeof catalogs_journal_texts},
    {"catalogs/library.texts", catalogs_library_texts, sizeof catalogs_library_texts},
    {"catalogs/marking.texts", catalogs_marking_texts, sizeof catalogs_marking_texts},
    {"catalogs/packets.texts", catalogs_packets_texts, sizeof catalogs_packets_texts},
    {"catalogs/pages.texts", catalogs_pages_texts, sizeof catalogs_pages_texts},
    {"catalogs/people.texts", catalogs_people_texts, sizeof catalogs_people_texts},
    {"catalogs/reasons.texts", catalogs_reasons_texts, sizeof catalogs_reasons_texts},
    {"catalogs/redacting.texts", catalogs_redacting_texts, sizeof catalogs_redacting_texts},
    {"catalogs/sending.texts", catalogs_sending_texts, sizeof catalogs_sending_texts},
    {"css/base.css", css_base_css, sizeof css_base_css},
    {"css/layout.css", css_layout_css, sizeof css_layout_css},
    {"css/rooms-cards.css", css_rooms_cards_css, sizeof css_rooms_cards_css},
    {"css/more-flow.css", css_more_flow_css, sizeof css_more_flow_css},
    {"css/more-pages.css", css_more_pages_css, sizeof css_more_pages_css},
    {"css/more-tables.css", css_more_tables_css, sizeof css_more_tables_css},
    {"css/parts-controls.css", css_parts_controls_css, sizeof css_parts_controls_css},
    {"css/rooms-grid.css", css_rooms_grid_css, sizeof css_rooms_grid_css},
    {"css/parts-navigation.css", css_parts_navigation_css, sizeof css_parts_navigation_css},
    {"css/rooms-papers.css", css_rooms_papers_css, sizeof css_rooms_papers_css},
    {"css/rooms-scan.css", css_rooms_scan_css, sizeof css_rooms_scan_css},
    {"css/rooms-sending.css", css_rooms_sending_css, sizeof css_rooms_sending_css},
    {"css/parts-surfaces.css", css_parts_surfaces_css, sizeof css_parts_surfaces_css},
    {"css/reset.css", css_reset_css, sizeof css_reset_css},
    {"css/tokens.css", css_tokens_css, sizeof css_tokens_css},
    {"css/utilities.css", css_utilities_css, sizeof css_utilities_css},
    {"icon-192.png", icon_192_png, sizeof icon_192_png},
    {"icon-512.png", icon_512_png, sizeof icon_512_png},
    {"icon-maskable-512.png", icon_maskable_512_png, sizeof icon_maskable_512_png},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"icons.svg", icons_svg, sizeof icons_svg},
    {"js/app-lock.js", js_app_lock_js, sizeof js_app_lock_js},
    {"js/app.js", js_app_js, sizeof js_app_js},
    {"js/away-bar.js", js_away_bar_js, sizeof js_away_bar_js},
    {"js/camera.js", js_camera_js, sizeof js_camera_js},
    {"js/code-camera.js", js_code_camera_js, sizeof js_code_camera_js},
    {"js/command-palette.js", js_command_palette_js, sizeof js_command_palette_js},
    {"js/compare-desk.js", js_compare_desk_js, sizeof js_compare_desk_js},
    {"js/confirm-dialog.js", js_confirm_dialog_js, sizeof js_confirm_dialog_js},
    {"js/contact-picker.js", js_contact_picker_js, sizeof js_contact_picker_js},
    {"js/copy-button.js", js_copy_button_js, sizeof js_copy_button_js},
    {"js/crop-image.js", js_crop_image_js, sizeof js_crop_image_js},
    {"js/data-table.js", js_data_table_js, sizeof js_data_table_js},
    {"js/drafts.js", js_drafts_js, sizeof js_drafts_js},
    {"js/elements.js", js_elements_js, sizeof js_elements_js},
    {"js/events.js", js_events_js, sizeof js_events_js},
    {"js/field-boxes.js", js_field_boxes_js, sizeof js_field_boxes_js},
    {"js/fill-desk.js", js_fill_desk_js, sizeof js_fill_desk_js},
    {"js/folder-tree.js", js_folder_tree_js, sizeof js_folder_tree_js},
    {"js/formula-field.js", js_formula_field_js, sizeof js_formula_field_js},
    {"js/fresh.js", js_fresh_js, sizeof js_fresh_js},
    {"js/grid-table.js", js_grid_table_js, sizeof js_grid_table_js},
    {"js/install-hint.js", js_install_hint_js, sizeof js_install_hint_js},
    {"js/keep-paper.js", js_keep_paper_js, sizeof js_keep_paper_js},
    {"js/kept-pages.js", js_kept_pages_js, sizeof js_kept_pages_js},
    {"js/kept-papers.js", js_kept_papers_js, sizeof js_kept_papers_js},
    {"js/key-hints.js", js_key_hints_js, sizeof js_key_hints_js},
    {"js/letter-editor.js", js_letter_editor_js, sizeof js_letter_editor_js},
    {"js/live-jobs.js", js_live_jobs_js, sizeof js_live_jobs_js},
    {"js/live-part.js", js_live_part_js, sizeof js_live_part_js},
    {"js/local-number.js", js_local_number_js, sizeof js_local_number_js},
    {"js/local-time.js", js_local_time_js, sizeof js_local_time_js},
    {"js/looks-form.js", js_looks_form_js, sizeof js_looks_form_js},
    {"js/make.js", js_make_js, sizeof js_make_js},
    {"js/mark-ask.js", js_mark_ask_js, sizeof js_mark_ask_js},
    {"js/mark-desk.js", js_mark_desk_js, sizeof js_mark_desk_js},
    {"js/mark-link.js", js_mark_link_js, sizeof js_mark_link_js},
    {"js/mark-pages.js", js_mark_pages_js, sizeof js_mark_pages_js},
    {"js/mark-shapes.js", js_mark_shapes_js, sizeof js_mark_shapes_js},
    {"js/mark-signature.js", js_mark_signature_js, sizeof js_mark_signature_js},
    {"js/match-board.js", js_match_board_js, sizeof js_match_board_js},
    {"js/more-lines.js", js_more_lines_js, sizeof js_more_lines_js},
    {"js/nfc-writer.js", js_nfc_writer_js, sizeof js_nfc_writer_js},
    {"js/page-board.js", js_page_board_js, sizeof js_page_board_js},
    {"js/page-crop.js", js_page_crop_js, sizeof js_page_crop_js},
    {"js/page-fields.js", js_page_fields_js, sizeof js_page_fields_js},
    {"js/page-reader.js", js_page_reader_js, sizeof js_page_reader_js},
    {"js/passkey-button.js", js_passkey_button_js, sizeof js_passkey_button_js},
    {"js/photo-field.js", js_photo_field_js, sizeof js_photo_field_js},
    {"js/picture-field.js", js_picture_field_js, sizeof js_picture_field_js},
    {"js/presence.js", js_presence_js, sizeof js_presence_js},
    {"js/push-switch.js", js_push_switch_js, sizeof js_push_switch_js},
    {"js/redact-areas.js", js_redact_areas_js, sizeof js_redact_areas_js},
    {"js/requests.js", js_requests_js, sizeof js_requests_js},
    {"js/scan-camera.js", js_scan_camera_js, sizeof js_scan_camera_js},
    {"js/scan-eye.js", js_scan_eye_js, sizeof js_scan_eye_js},
    {"js/scan-photo.js", js_scan_photo_js, sizeof js_scan_photo_js},
    {"js/scan-review.js", js_scan_review_js, sizeof js_scan_review_js},
    {"js/scan-store.js", js_scan_store_js, sizeof js_scan_store_js},
    {"js/scan-wishes.js", js_scan_wishes_js, sizeof js_scan_wishes_js},
    {"js/seal-place.js", js_seal_place_js, sizeof js_seal_place_js},
    {"js/share-button.js", js_share_button_js, sizeof js_share_button_js},
    {"js/side-by-side.js", js_side_by_side_js, sizeof js_side_by_side_js},
    {"js/sign-places.js", js_sign_places_js, sizeof js_sign_places_js},
    {"js/soft-page.js", js_soft_page_js, sizeof js_soft_page_js},
    {"js/sort-list.js", js_sort_list_js, sizeof js_sort_list_js},
    {"js/texts.js", js_texts_js, sizeof js_texts_js},
    {"js/theme-switch.js", js_theme_switch_js, sizeof js_theme_switch_js},
    {"js/toast-region.js", js_toast_region_js, sizeof js_toast_region_js},
    {"js/trust.js", js_trust_js, sizeof js_trust_js},
    {"js/unkept.js", js_unkept_js, sizeof js_unkept_js},
    {"js/upload-zone.js", js_upload_zone_js, sizeof js_upload_zone_js},
    {"js/uploads.js", js_uploads_js, sizeof js_uploads_js},
    {"js/waiting-acts.js", js_waiting_acts_js, sizeof js_waiting_acts_js},
    {"js/waiting-panel.js", js_waiting_panel_js, sizeof js_waiting_panel_js},
    {"js/waiting.js", js_waiting_js, sizeof js_waiting_js},
    {"js/zone-choice.js", js_zone_choice_js, sizeof js_zone_choice_js},
    {"robots.txt", robots_txt, sizeof robots_txt},
    {"scan-worker.js", scan_worker_js, sizeof scan_worker_js},
    {"scan.wasm", scan_wasm, sizeof scan_wasm},
    {"sw.js", sw_js, sizeof sw_js},
    {"trust.css", trust_css, sizeof trust_css},
    {"trust.js", trust_js, sizeof trust_js},
};

const struct cwebassets_file *const cwebassets_files = table;
const size_t cwebassets_count = sizeof table / sizeof *table;
