// The parts of Apache ECharts that the report draws with.
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import * as core from "echarts/core";
import { LabelLayout } from "echarts/features";
import { SVGRenderer } from "echarts/renderers";

core.use([BarChart, CustomChart, LineChart, ScatterChart, GridComponent, MarkLineComponent,
          TooltipComponent, LabelLayout, SVGRenderer]);
export const init = core.init, version = core.version;
